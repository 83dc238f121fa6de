// SPDX-License-Identifier: GPL-3.0-or-later
// The puzzle solved in plain C: what the hand-written firmware is measured against.
//
// Nothing here is clever, and nothing is careless either. The first free square, row by row, gets each of the 63
// figures in turn; one that fits is laid, and the rest of the board is solved in the same way.
//
// A debugger or a test drives it by the same names as the firmware: it stops in the empty functions below, and finds
// the solution in `board`. Every board of up to 60 squares can be given at board_ready, as long as nothing lies on it.

#include <avr/pgmspace.h>
#include <stdbool.h>
#include <stdint.h>

#define FREE 0
#define SQUARES 60

enum piece { F, I, L, N, P, T, U, V, W, X, Y, Z, PIECES };

struct offset {
    int8_t columns;
    int8_t rows;
};

// A figure is a piece turned or mirrored: where its other four squares lie, seen from the first one in reading order.
struct figure {
    uint8_t piece;
    struct offset squares[4];
};

static const struct figure figures[] PROGMEM = {
    {F, {{ 1, 0}, {-1, 1}, { 0, 1}, { 0, 2}}},
    {F, {{-1, 1}, { 0, 1}, { 1, 1}, { 1, 2}}},
    {F, {{ 0, 1}, { 1, 1}, {-1, 2}, { 0, 2}}},
    {F, {{ 0, 1}, { 1, 1}, { 2, 1}, { 1, 2}}},
    {F, {{ 1, 0}, { 1, 1}, { 2, 1}, { 1, 2}}},
    {F, {{-2, 1}, {-1, 1}, { 0, 1}, {-1, 2}}},
    {F, {{-1, 1}, { 0, 1}, { 0, 2}, { 1, 2}}},
    {F, {{-1, 1}, { 0, 1}, { 1, 1}, {-1, 2}}},
    {I, {{ 0, 1}, { 0, 2}, { 0, 3}, { 0, 4}}},
    {I, {{ 1, 0}, { 2, 0}, { 3, 0}, { 4, 0}}},
    {L, {{ 0, 1}, { 0, 2}, { 0, 3}, { 1, 3}}},
    {L, {{ 1, 0}, { 2, 0}, { 3, 0}, { 0, 1}}},
    {L, {{ 1, 0}, { 1, 1}, { 1, 2}, { 1, 3}}},
    {L, {{-3, 1}, {-2, 1}, {-1, 1}, { 0, 1}}},
    {L, {{ 0, 1}, { 0, 2}, {-1, 3}, { 0, 3}}},
    {L, {{ 0, 1}, { 1, 1}, { 2, 1}, { 3, 1}}},
    {L, {{ 1, 0}, { 0, 1}, { 0, 2}, { 0, 3}}},
    {L, {{ 1, 0}, { 2, 0}, { 3, 0}, { 3, 1}}},
    {N, {{ 0, 1}, {-1, 2}, { 0, 2}, {-1, 3}}},
    {N, {{ 1, 0}, { 1, 1}, { 2, 1}, { 3, 1}}},
    {N, {{-1, 1}, { 0, 1}, {-1, 2}, {-1, 3}}},
    {N, {{ 1, 0}, { 2, 0}, { 2, 1}, { 3, 1}}},
    {N, {{ 0, 1}, { 0, 2}, { 1, 2}, { 1, 3}}},
    {N, {{ 1, 0}, { 2, 0}, {-1, 1}, { 0, 1}}},
    {N, {{ 0, 1}, { 1, 1}, { 1, 2}, { 1, 3}}},
    {N, {{ 1, 0}, {-2, 1}, {-1, 1}, { 0, 1}}},
    {P, {{ 1, 0}, { 0, 1}, { 1, 1}, { 0, 2}}},
    {P, {{ 1, 0}, { 2, 0}, { 1, 1}, { 2, 1}}},
    {P, {{-1, 1}, { 0, 1}, {-1, 2}, { 0, 2}}},
    {P, {{ 1, 0}, { 0, 1}, { 1, 1}, { 2, 1}}},
    {P, {{ 1, 0}, { 0, 1}, { 1, 1}, { 1, 2}}},
    {P, {{ 1, 0}, {-1, 1}, { 0, 1}, { 1, 1}}},
    {P, {{ 0, 1}, { 1, 1}, { 0, 2}, { 1, 2}}},
    {P, {{ 1, 0}, { 2, 0}, { 0, 1}, { 1, 1}}},
    {T, {{ 1, 0}, { 2, 0}, { 1, 1}, { 1, 2}}},
    {T, {{-2, 1}, {-1, 1}, { 0, 1}, { 0, 2}}},
    {T, {{ 0, 1}, {-1, 2}, { 0, 2}, { 1, 2}}},
    {T, {{ 0, 1}, { 1, 1}, { 2, 1}, { 0, 2}}},
    {U, {{ 2, 0}, { 0, 1}, { 1, 1}, { 2, 1}}},
    {U, {{ 1, 0}, { 0, 1}, { 0, 2}, { 1, 2}}},
    {U, {{ 1, 0}, { 2, 0}, { 0, 1}, { 2, 1}}},
    {U, {{ 1, 0}, { 1, 1}, { 0, 2}, { 1, 2}}},
    {V, {{ 0, 1}, { 0, 2}, { 1, 2}, { 2, 2}}},
    {V, {{ 1, 0}, { 2, 0}, { 0, 1}, { 0, 2}}},
    {V, {{ 1, 0}, { 2, 0}, { 2, 1}, { 2, 2}}},
    {V, {{ 0, 1}, {-2, 2}, {-1, 2}, { 0, 2}}},
    {W, {{ 0, 1}, { 1, 1}, { 1, 2}, { 2, 2}}},
    {W, {{ 1, 0}, {-1, 1}, { 0, 1}, {-1, 2}}},
    {W, {{ 1, 0}, { 1, 1}, { 2, 1}, { 2, 2}}},
    {W, {{-1, 1}, { 0, 1}, {-2, 2}, {-1, 2}}},
    {X, {{-1, 1}, { 0, 1}, { 1, 1}, { 0, 2}}},
    {Y, {{-1, 1}, { 0, 1}, { 0, 2}, { 0, 3}}},
    {Y, {{-2, 1}, {-1, 1}, { 0, 1}, { 1, 1}}},
    {Y, {{ 0, 1}, { 0, 2}, { 1, 2}, { 0, 3}}},
    {Y, {{ 1, 0}, { 2, 0}, { 3, 0}, { 1, 1}}},
    {Y, {{ 0, 1}, { 1, 1}, { 0, 2}, { 0, 3}}},
    {Y, {{ 1, 0}, { 2, 0}, { 3, 0}, { 2, 1}}},
    {Y, {{ 0, 1}, {-1, 2}, { 0, 2}, { 0, 3}}},
    {Y, {{-1, 1}, { 0, 1}, { 1, 1}, { 2, 1}}},
    {Z, {{ 1, 0}, { 1, 1}, { 1, 2}, { 2, 2}}},
    {Z, {{-2, 1}, {-1, 1}, { 0, 1}, {-2, 2}}},
    {Z, {{ 1, 0}, { 0, 1}, {-1, 2}, { 0, 2}}},
    {Z, {{ 0, 1}, { 1, 1}, { 2, 1}, { 2, 2}}},
};

#define FIGURES (sizeof figures / sizeof *figures)

// The squares row by row, then squares a row and rows. Being the only variable with a value, it lies at $0100.
uint8_t board[SQUARES + 2] = {[SQUARES] = 4, 15};

uint8_t board_width;
uint8_t board_height;
uint8_t board_error;
uint32_t solution_count;

static uint8_t width;
static uint8_t height;
static uint8_t squares;
static bool used[PIECES];

// A stop: the nop keeps the compiler from doing without it.
#define STOP(name)                              \
    __attribute__((noinline)) void name(void) { \
        __asm__ volatile("nop");                \
    }

STOP(board_ready)
STOP(board_rejected)
STOP(solution_found)
STOP(no_more_solutions)

// Find where a figure's squares come to lie when its first one covers a free square of this column; tell whether they
// are all on the board and free.
static bool fits(const struct figure *figure, uint8_t square, uint8_t column, uint8_t places[4]) {
    const struct offset *offset = figure->squares;
    for (uint8_t i = 0; i < 4; i++, offset++) {
        uint8_t columns = pgm_read_byte(&offset->columns);
        uint8_t place = square + columns + pgm_read_byte(&offset->rows) * width;
        // A column left of the first one is, without sign, right of the last; a place that overflows lies before
        // `square`, where nothing is free.
        if ((uint8_t)(column + columns) >= width || place >= squares || board[place] != FREE)
            return false;
        places[i] = place;
    }
    return true;
}

static void lay(uint8_t value, uint8_t square, const uint8_t places[4]) {
    board[square] = value;
    for (uint8_t i = 0; i < 4; i++)
        board[places[i]] = value;
}

// Every call but the first stands for a figure that was laid; not inlined into itself, they can be counted.
static __attribute__((noinline)) void solve(uint8_t square) {
    while (square < squares && board[square] != FREE)
        square++;
    if (square == squares) {
        solution_count++;
        solution_found();
        return;
    }
    uint8_t column = square % width;
    uint8_t places[4];
    const struct figure *figure = figures;
    for (uint8_t number = 1; number <= FIGURES; number++, figure++) {
        uint8_t piece = pgm_read_byte(&figure->piece);
        if (!used[piece] && fits(figure, square, column, places)) {
            used[piece] = true;
            lay(number, square, places);
            solve(square + 1);
            lay(FREE, square, places);
            used[piece] = false;
        }
    }
}

int main(void) {
    board_width = board[SQUARES];
    board_height = board[SQUARES + 1];
    board_ready();
    width = board_width;
    height = board_height;
    squares = width * height;
    if (width == 0 || height == 0 || width * height > SQUARES) {
        board_error = width == 0 || height == 0 ? 1 : 2;
        for (;;)
            board_rejected();
    }
    solve(0);
    for (;;)
        no_more_solutions();
}
