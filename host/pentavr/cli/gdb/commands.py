# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands; importing this module inside avr-gdb defines them."""

from __future__ import annotations

from collections.abc import Collection

import gdb

from pentavr.cli.gdb import flow, target
from pentavr.cli.gdb.picture import picture
from pentavr.errors import UnusableInput
from pentavr.pentomino import catalogue
from pentavr.pentomino.figures import PIECES, figure

__all__ = ["define"]


class Command(gdb.Command):  # type: ignore[misc]  # gdb's module has no types
    """A command by the name of its class, words joined by a hyphen; its docstring is its help text."""

    def __init__(self) -> None:
        words = "".join(f" {letter}" if letter.isupper() else letter for letter in type(self).__name__).split()
        super().__init__("-".join(words).lower(), gdb.COMMAND_USER)

    def invoke(self, argument: str, from_tty: bool) -> None:  # noqa: ARG002  # gdb's signature
        """Check that there is a chip, and do what the command is for."""
        if gdb.selected_inferior().pid == 0:
            raise gdb.GdbError("no chip is connected: start again with pentavr debug, or connect with target remote")
        try:
            self.run(argument.strip())
        except gdb.error as error:
            # As it is, gdb would print it as a fault of ours.
            raise gdb.GdbError(str(error)) from error

    def run(self, argument: str) -> None:
        """Do what the command is for."""
        raise NotImplementedError


class Board(Command):
    """Draw the board at $0100, and say what it is at this moment.

    Free squares are pale, blocked ones empty, each figure has the colour and the letter of its piece.
    """

    def run(self, argument: str) -> None:
        no_arguments(argument)
        show_board()


class NextSolution(Command):
    """Run on to the next solution and draw it.

    Usage: next-solution [N]
    With N, run on to the Nth from here. It ends where there are no more, where the board is rejected, at a breakpoint
    of yours, or with Ctrl-C.
    """

    def run(self, argument: str) -> None:
        for _ in range(positive(argument)):
            if target.current_stop() in (target.NO_MORE_SOLUTIONS, target.BOARD_REJECTED):
                raise gdb.GdbError("the search is over; `reset-chip` starts anew")
            if not run_to({target.label(stop) for stop in target.STOPS if stop != target.BOARD_READY}):
                return
            if target.current_stop() != target.SOLUTION_FOUND:
                break
        show_board()


class LoadBoard(Command):
    """Give the chip another board.

    Usage: load-board NAME | WxH | FILE
    It is for a chip that stands at board_ready, where the board is read; `reset-chip` takes it there. `pentavr boards`
    lists the names; a file has a drawing: # free, . no square, a piece's letter where it is laid.
    """

    def run(self, argument: str) -> None:
        """Find the board and write it."""
        if not argument:
            raise gdb.GdbError("load-board takes a board: a name, WxH as in 6x10, or a text file")
        if target.current_stop() != target.BOARD_READY:
            raise gdb.GdbError(f"the chip reads its board at {target.BOARD_READY} only; `reset-chip` takes it there")
        try:
            board = catalogue.find(argument)
        except UnusableInput as error:
            raise gdb.GdbError(str(error)) from error
        target.load(board)
        show_board()

    def complete(self, text: str, word: str) -> list[str]:
        """Complete the name of a board."""
        start = len(text) - len(word)
        return [name[start:] for name in catalogue.named() if name.startswith(text)]


class Pieces(Command):
    """Name the pieces that lie on the board, as figures, and those that are left.

    In the middle of the search they are those that it has laid so far.
    """

    def run(self, argument: str) -> None:
        no_arguments(argument)
        laid = [figure(each) for each in (target.grid() if target.is_searching() else target.board()).laid()]
        left = [piece for piece in PIECES if piece not in {each.piece for each in laid}]
        for what, names in (("laid", [each.name for each in laid]), ("left", left)):
            print(f"{len(names):2} {what}: {' '.join(names) or 'none'}")


class Level(Command):
    """Tell how deep the search is, which figures it has on its stack, and draw what it has laid.

    Each figure is named as in tree.inc, whose line that takes it back is told, too: there it is seen from the side
    from which the search goes over the board. The cross is laid before the search and has no level of its own.
    """

    def run(self, argument: str) -> None:
        no_arguments(argument)
        if not target.is_searching():
            raise gdb.GdbError("the search does not run: break figure_laid, and continue")
        levels = target.levels()
        print(f"depth {len(levels)}")
        for depth, level in enumerate(levels, 1):
            print(f"{depth:4}  {target.figure_name(level.number):3} {level.place}")
        print(picture(target.grid()))


class Over(Command):
    """Step to the next line, over all calls, by breakpoints at every place where this line can be left.

    It is `next` for gdb servers whose `next` does not come back from a call, such as that of simavr 1.6.
    """

    def run(self, argument: str) -> None:
        """Look where the line can be left, and run to there."""
        no_arguments(argument)
        frame = gdb.newest_frame()
        line = line_at(frame.pc())
        ways = flow.ways_out(frame.pc(), target.opcode, lambda address: line is not None and line_at(address) == line)
        addresses = set(ways.addresses)
        caller = frame.older()
        if ways.returns and caller is not None:
            addresses.add(caller.pc())
        if ways.jumps_through_z:
            addresses.add(2 * int(gdb.parse_and_eval("$r30 + 256 * $r31")))
        if run_to(addresses, stack_pointer() - ways.pushed):
            gdb.execute("frame")


class ResetChip(Command):
    """Reset the chip and run it to board_ready, where it has its default board and takes another."""

    def run(self, argument: str) -> None:
        no_arguments(argument)
        ready = target.label(target.BOARD_READY)
        try:
            gdb.execute("monitor reset", to_string=True)
            gdb.execute("maintenance flush register-cache", to_string=True)
        except gdb.error:
            # The server has no such command; the firmware begins at 0 in whatever state it is.
            gdb.execute("set $pc = 0")
        if run_to({ready}):
            show_board()


class Silent(gdb.Breakpoint):  # type: ignore[misc]  # gdb's module has no types
    """A breakpoint of ours at an address, which gdb neither lists nor announces.

    Given a place of the stack, it holds only when the stack pointer is there or above: the calls that are stepped over
    may come to the same address.
    """

    def __init__(self, address: int, stack: int = 0) -> None:
        super().__init__(f"*{address:#x}", internal=True)
        self.silent = True
        self.stack = stack

    def stop(self) -> bool:
        """Tell gdb whether to stop here."""
        return stack_pointer() >= self.stack


def run_to(addresses: Collection[int], stack: int = 0) -> bool:
    """Run until the chip is at one of the addresses; False if something else stops it, which gdb then has shown."""
    breakpoints = [Silent(address, stack) for address in sorted(addresses)]
    try:
        gdb.execute("continue", to_string=True)
    finally:
        for each in breakpoints:
            each.delete()
    return gdb.newest_frame().pc() in addresses and stack_pointer() >= stack


def stack_pointer() -> int:
    """Read SP."""
    return int(gdb.newest_frame().read_register("SP")) & 0xFFFF


def line_at(address: int) -> tuple[str, int] | None:
    """Give the source line that an address belongs to, None where that is unknown."""
    sal = gdb.find_pc_line(address)
    return (sal.symtab.filename, sal.line) if sal.symtab else None


def show_board() -> None:
    """Draw the board, and below it say what it is."""
    board = target.board()
    print(picture(board))
    count = target.number("solution_count", 4)
    match target.current_stop():
        case target.BOARD_READY:
            print(f"{board.width}x{board.height}, {board.free_squares} free squares, not searched yet")
        case target.SOLUTION_FOUND:
            print(f"solution {count:,}")
        case target.NO_MORE_SOLUTIONS:
            print(f"no more solutions; there were {count:,}")
        case target.BOARD_REJECTED:
            print(f"rejected, {target.rejection()}")
        case _ if target.is_searching():
            print("in the middle of the search; `level` draws what it has laid so far")


def positive(argument: str) -> int:
    """Read how many; nothing means one."""
    number = int(gdb.parse_and_eval(argument)) if argument else 1
    if number < 1:
        raise gdb.GdbError(f"{argument} is no number of solutions: give 1 or more")
    return number


def no_arguments(argument: str) -> None:
    """Refuse what the command has no use for."""
    if argument:
        raise gdb.GdbError(f"what is {argument!r} for? This command takes nothing")


def define() -> None:
    """Define all commands."""
    for command in (Board, NextSolution, LoadBoard, Pieces, Level, Over, ResetChip):
        command()
