import type { Input } from '@prismapi/cli/command'
import { newProviders } from '@prismapi/cli/init/new-application'
import { signInKinds } from '@prismapi/cli/init/sign-in-parts'
import type { Machine } from './machine.ts'

type Values = Input['values']

interface Question {
  readonly words: string
  /** The first one is taken for an empty line. */
  readonly choices: readonly string[]
  /** Whether a flag answers it. */
  isAnswered(values: Values): boolean
  /** The flags of a choice. */
  valuesOf(choice: string): Values
}

const questions: readonly Question[] = [
  {
    words: 'Which database?',
    choices: newProviders,
    isAnswered: ({ provider }) => provider !== undefined,
    valuesOf: (provider) => ({ provider }),
  },
  {
    words: 'How do people sign in?',
    choices: ['password', ...signInKinds.filter((kind) => kind !== 'password'), 'token'],
    isAnswered: ({ auth }) => auth !== undefined,
    // By tokens of `npm run token`, as without a flag.
    valuesOf: (auth) => (auth === 'token' ? {} : { auth }),
  },
  {
    words: 'Some rows to begin with?',
    choices: ['yes', 'no'],
    isAnswered: (values) => values['no-seed'] === true,
    valuesOf: (choice) => ({ 'no-seed': choice === 'no' }),
  },
]

/** The folder that is named, or typed at the question; this one where nobody is there to ask. */
export async function askFolder(named: string | undefined, ask: Machine['ask']): Promise<string> {
  if (named !== undefined) return named
  return ask === null ? '.' : (await ask('Which folder? (my-api) ')).trim() || 'my-api'
}

/** The flags, with those of the answers to the questions that no flag answers. */
export async function askValues(values: Values, ask: Machine['ask']): Promise<Values> {
  if (ask === null) return values
  let answered = values
  for (const { words, choices, isAnswered, valuesOf } of questions)
    if (!isAnswered(values)) answered = { ...answered, ...valuesOf(await choose(words, choices, ask)) }
  return answered
}

/** A choice by its name or by how it begins. Asks again until it is one. */
async function choose(words: string, choices: readonly string[], ask: NonNullable<Machine['ask']>): Promise<string> {
  const [first = '', ...others] = choices
  for (;;) {
    const typed = (await ask(`${words} (${[first.toUpperCase(), ...others].join(', ')}) `)).trim().toLowerCase()
    const found = choices.find((choice) => choice.startsWith(typed))
    if (found !== undefined) return found
  }
}
