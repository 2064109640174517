import type { Faker } from '@faker-js/faker'
import type { ColumnMeta, ModelMeta } from '@prismapi/jsonapi/model/meta'
import { saysSecret } from '@prismapi/jsonapi/schema/secrets'
import { underscore } from 'inflection'

type Draw = (faker: Faker) => string

/** What a column is about, by the words of its name. */
const drawings: readonly (readonly [words: RegExp, draw: Draw])[] = [
  [/(^|_)e_?mail/, (faker) => faker.internet.email({ provider: 'example.com' }).toLowerCase()],
  [/(^|_)slug$/, (faker) => faker.lorem.slug()],
  [/(^|_)(url|uri|website|homepage|link|href)$/, (faker) => faker.internet.url()],
  [/(^|_)first_name$/, (faker) => faker.person.firstName()],
  [/(^|_)last_name$/, (faker) => faker.person.lastName()],
  [/(^|_)(user_?name|login)$/, (faker) => faker.internet.username().toLowerCase()],
  [/(^|_)(title|headline|subject)$/, (faker) => faker.lorem.words(4)],
  [/(^|_)(content|body|text|description|bio|message|comment|summary)$/, (faker) => faker.lorem.sentences(2)],
  [/(^|_)phone/, (faker) => faker.phone.number()],
  [/(^|_)city$/, (faker) => faker.location.city()],
  [/(^|_)country$/, (faker) => faker.location.country()],
  [/(^|_)(street|address)$/, (faker) => faker.location.streetAddress()],
  [/(^|_)(zip|postal|post)(_?code)?$/, (faker) => faker.location.zipCode()],
  [/(^|_)(company|organi[sz]ation)$/, (faker) => faker.company.name()],
  [/(^|_)colou?r$/, (faker) => faker.color.human()],
]

/** A text that looks like what the column is called, as long as it has room. */
export function drawText(column: ColumnMeta, model: ModelMeta, faker: Faker): string {
  const [native, size] = column.native ?? []
  if (native === 'Uuid') return faker.string.uuid()
  if (native === 'Inet') return faker.internet.ipv4()
  if (native === 'Xml') return `<p>${faker.lorem.word()}</p>`
  if (native === 'Bit' || native === 'VarBit') return faker.string.binary({ length: Number(size ?? 1), prefix: '' })
  const draw = drawingOf(column.name, model)
  return fitted(draw(faker), column)
}

function drawingOf(name: string, model: ModelMeta): Draw {
  if (saysSecret(model.name, name)) return (faker) => faker.string.alphanumeric(32)
  const words = underscore(name)
  // A model with an address is about persons.
  if (words === 'name' && 'email' in model.columns) return (faker) => faker.person.fullName()
  return drawings.find(([pattern]) => pattern.test(words))?.[1] ?? ((faker) => faker.lorem.words(2))
}

/** The text with the number of its row, so that no other row has it. */
export function numbered(text: string, n: number, column: ColumnMeta): string {
  if (['Uuid', 'Inet', 'Bit', 'VarBit'].includes(column.native?.[0] ?? '')) return text
  if (text.includes('@')) return text.replace('@', `-${n}@`)
  const suffix = /^\S+$/.test(text) ? `-${n}` : ` ${n}`
  return fitted(text, column, suffix.length) + suffix
}

// MySQL's own size of a text without one.
function fitted(text: string, { native }: ColumnMeta, spared = 0): string {
  const [type = '', size = '0'] = native ?? []
  const room = /char$/i.test(type) && Number(size) > 0 ? Number(size) : 191
  return text.slice(0, Math.max(0, room - spared)).trimEnd()
}
