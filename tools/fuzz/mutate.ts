type Random = () => number

const longest = 2000
const oddities = [
  '',
  '\u0000',
  '\ud800',
  '\u00ff',
  '\u2028',
  '%',
  '%00',
  '\\',
  '"',
  ',',
  ';',
  '=',
  '[',
  ']',
  '9'.repeat(30),
]

/** Another text, a few changes away: of its own characters, of the words, or of another text. */
export function mutated(text: string, other: string, words: readonly string[], random: Random): string {
  let changed = text
  for (let left = 1 + at(random, 4); left > 0; left--) changed = once(changed, other, words, random)
  return changed.slice(0, longest)
}

const at = (random: Random, end: number): number => Math.floor(random() * end)
const pick = (items: readonly string[], random: Random): string => items[at(random, items.length)] ?? ''

function once(text: string, other: string, words: readonly string[], random: Random): string {
  const from = at(random, text.length + 1)
  const to = Math.min(text.length, from + at(random, 2 ** (1 + at(random, 6))))
  const [before, part, after] = [text.slice(0, from), text.slice(from, to), text.slice(to)]
  switch (at(random, 8)) {
    case 0:
      return before + after
    case 1:
      return before + pick(words, random) + part + after
    case 2:
      return before + pick(words, random) + after
    case 3:
      return before + pick(oddities, random) + after
    case 4:
      return before + String.fromCharCode(at(random, 256)) + text.slice(from + 1)
    case 5:
      return before + part.repeat(2 + at(random, 20)) + after
    case 6:
      return before + other.slice(at(random, other.length + 1))
    default: {
      const start = at(random, other.length + 1)
      return before + other.slice(start, start + to - from + 1) + after
    }
  }
}
