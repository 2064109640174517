import { setFlagsFromString } from 'node:v8'

// The solver is a quarter of a megabyte of asm.js, all of which V8 would translate before the first question. Proofs ask few and small
// ones: taken for JavaScript, only what runs is compiled. A later V8 does so by itself, and complains of a flag that it does not know.
const major = Number.parseInt(process.versions.node, 10)
if (major <= 24) setFlagsFromString('--no-validate-asm')
