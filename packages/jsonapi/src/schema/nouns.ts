import { pluralize, singularize } from 'inflection'

/** Nouns that the library gets wrong, in one direction or in both: one of them, and several. */
const pairs: Readonly<Record<string, string>> = {
  // It takes the end of one for that of several.
  abacus: 'abacuses',
  apparatus: 'apparatuses',
  atlas: 'atlases',
  bias: 'biases',
  cactus: 'cacti',
  census: 'censuses',
  chorus: 'choruses',
  circus: 'circuses',
  consensus: 'consensuses',
  corpus: 'corpora',
  focus: 'focuses',
  gas: 'gases',
  hiatus: 'hiatuses',
  iris: 'irises',
  lens: 'lenses',
  lotus: 'lotuses',
  nexus: 'nexuses',
  nucleus: 'nuclei',
  prospectus: 'prospectuses',
  radius: 'radii',
  stimulus: 'stimuli',
  surplus: 'surpluses',
  terminus: 'termini',
  trellis: 'trellises',
  walrus: 'walruses',
  // Several of what ends in -ie or -oe look like several of what ends in -y or -o.
  ...Object.fromEntries(
    [
      ...['brownie', 'calorie', 'canoe', 'cookie', 'die', 'foe', 'foodie', 'genie', 'hoodie', 'indie', 'lie'],
      ...['newbie', 'pie', 'prairie', 'rookie', 'selfie', 'shoe', 'smoothie', 'sortie', 'tie', 'toe', 'zombie'],
    ].map((noun) => [noun, `${noun}s`]),
  ),
  axis: 'axes',
  hero: 'heroes',
  leaf: 'leaves',
  // Of what ends in -um, only these have a Latin plural that people write.
  bacterium: 'bacteria',
  datum: 'data',
  erratum: 'errata',
  medium: 'media',
  stratum: 'strata',
  criterion: 'criteria',
  phenomenon: 'phenomena',
  // The library's -ch is always that of a church, and it knows no -z.
  ...Object.fromEntries(['epoch', 'matriarch', 'monarch', 'patriarch', 'stomach'].map((noun) => [noun, `${noun}s`])),
  fez: 'fezzes',
  quiz: 'quizzes',
  whiz: 'whizzes',
}

/** Those that are one and several, or of which nobody counts any. */
const same: ReadonlySet<string> = new Set([
  ...['aws', 'cms', 'css', 'dns', 'gps', 'https', 'ios', 'js', 'lms', 'mms', 'os', 'pos', 'rss', 'sms', 'tls', 'vps'],
  ...['barracks', 'chassis', 'corps', 'data', 'debris', 'headquarters', 'kudos', 'means', 'media', 'metadata'],
  ...['iaas', 'paas', 'saas'],
])

const singulars: ReadonlyMap<string, string> = new Map(Object.entries(pairs).map(([one, several]) => [several, one]))

/**
 * `post` → `posts`; several are told from one only by their look. No
 * Latin is guessed: `premium` → `premiums`, `quota` → `quotas`.
 */
export function pluralNoun(noun: string): string {
  if (same.has(noun) || singulars.has(noun)) return noun
  if (Object.hasOwn(pairs, noun)) return pairs[noun] as string
  if (/(?:um|a)$/.test(noun)) return `${noun}s`
  return noun.endsWith('z') ? `${noun}es` : pluralize(noun)
}

/** `posts` → `post` */
export function singularNoun(noun: string): string {
  if (same.has(noun) || Object.hasOwn(pairs, noun)) return noun
  const known = singulars.get(noun)
  if (known !== undefined) return known
  if (/(?:um|a)$/.test(noun)) return noun
  if (/[tz]zes$/.test(noun)) return noun.slice(0, -2)
  const found = singularize(noun)
  if (pluralNoun(found) === noun) return found
  // It makes `analyasis` of `analyses`: what does not lead back to the noun is none.
  const greek = noun.replace(/ses$/, 'sis')
  return pluralize(greek) === noun ? greek : found
}

/** The plural of a name in camel case, by its last word: `surveyQuota` → `surveyQuotas`, `person` → `people`. */
export const pluralName = (name: string): string => changeEnd(name, pluralNoun)

/** The other way round: `surveyQuotas` → `surveyQuota`. */
export const singularName = (name: string): string => changeEnd(name, singularNoun)

/** A word that is in capitals as a whole keeps them. */
const changeEnd = (name: string, change: (noun: string) => string): string =>
  name.replace(/[A-Z]?[a-z]+$/, (word) => {
    const changed = change(word.toLowerCase())
    return word.charAt(0) + changed.slice(1)
  })
