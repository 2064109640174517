import type { Told } from './job.ts'

const endLines = 60
const mostSeeds = 12

// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal begin with one.
const colours = /\u001b\[[\d;]*m/g

/** What vitest says at the end of a run: `Tests  1 failed | 20 passed | 2 skipped (23)`. */
const testLine = /^\s*Tests\s+(.*)\(\d+\)\s*$/gm

/** What a job said of itself, from its whole log. */
export function toldBy(log: string): Told {
  const text = log.replace(colours, '')
  const lines = text.trimEnd().split('\n')
  const seeds = lines.filter((line) => /\bseed\b|\bFC_SEED\b/i.test(line)).map((line) => line.trim())
  return {
    tests: testsIn(text),
    seeds: [...new Set(seeds)].slice(0, mostSeeds),
    end: lines.slice(-endLines).join('\n'),
  }
}

function testsIn(text: string): Told['tests'] {
  const counts = [...text.matchAll(testLine)].map(([, said = '']) => said)
  if (counts.length === 0) return null
  const sum = (what: string) =>
    counts.reduce((all, said) => all + Number(new RegExp(`(\\d+) ${what}`).exec(said)?.[1] ?? 0), 0)
  const failed = sum('failed')
  return { run: sum('passed') + failed, failed }
}
