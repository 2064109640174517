import { createHash } from 'node:crypto'
import type { Faker } from '@faker-js/faker'

/** Dates are drawn as if it were this moment, so that they are the same on every day. */
export const epoch = new Date('2025-01-01T00:00:00Z')

/** The faker of one row. */
export type FakerOf = (model: string, n: number) => Promise<Faker>

/**
 * Fakers that draw the same for the same seed, model and number, whatever else is made.
 * @throws {Error} where `@faker-js/faker` is not installed
 */
export function fakers(seed: number, given: Faker | undefined): FakerOf {
  let loaded: Promise<Faker> | undefined
  return async (model, n) => {
    loaded ??= given ? Promise.resolve(given) : load()
    const words = await loaded
    const make = words.constructor as typeof Faker
    const faker = new make({ locale: words.rawDefinitions, seed: seedOf(`${seed}/${model}/${n}`) })
    faker.setDefaultRefDate(epoch)
    return faker
  }
}

// Of the locale alone: all of them together take seven times as long.
async function load(): Promise<Faker> {
  try {
    return (await import('@faker-js/faker/locale/en')).faker
  } catch (cause) {
    throw new Error(
      '@faker-js/faker: factories draw their values from it. Run "npm install --save-dev @faker-js/faker".',
      {
        cause,
      },
    )
  }
}

const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE()
