import fc from 'fast-check'

// With `FC_SEED`, a run draws at random what every other run with it has drawn.
const seed = process.env.FC_SEED
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
