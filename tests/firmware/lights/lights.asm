; SPDX-License-Identifier: GPL-3.0-or-later
; A row of lights that counts: a small program of another kind, with all that a debugger has to know of.
.include "m88def.inc"
.include "macros.inc"

.equ LIGHTS = 5

.dseg
pattern:	.byte 1
history:	.byte LIGHTS
finished:	.byte 1

.eseg
first_pattern:	.db 0x15
speeds:		.db 10, 20, 30

.cseg
.org 0
	rjmp	reset
.org INT_VECTORS_SIZE
masks:	.db 1, 2, 4, 8, 16, 32
reset:
	STACK_AT RAMEND
	clr	r16
	ldi	r20, 3
	rcall	count_down
done:
	sts	finished, r20
stay:	rjmp	stay

.include "count.inc"
