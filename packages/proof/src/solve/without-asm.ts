import { setFlagsFromString } from 'node:v8'

// The solver is a quarter of a megabyte of asm.js, which V8 would compile as a whole before the first question. Proofs
// ask few and small ones: read as JavaScript, only what runs is compiled. A later V8 does so by itself, and warns of
// the flag.
const major = Number.parseInt(process.versions.node, 10)
if (major <= 24) setFlagsFromString('--no-validate-asm')
