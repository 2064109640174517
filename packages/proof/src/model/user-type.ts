import type { ColumnMeta, Resources } from '@prismapi/jsonapi/model/meta'
import type { ClaimType, UserType } from './persona.ts'
import { readType, type TypeText } from './type-text.ts'

/** Source files of the application by their paths. */
export type Sources = ReadonlyMap<string, string>

/**
 * The user type that the application declares to `Register`, read from the text of its declarations: names, literals,
 * unions, `Pick`, `Omit` and rows of the Prisma schema. Without a declaration, it is a row of the model `User`.
 *
 * @throws {Error} where there is neither.
 */
export function readUserType(sources: Sources, resources: Resources): UserType {
  const declared = [...sources].flatMap(([file, text]) => {
    const found = /\binterface\s+Register\s*(?=\{)/.exec(withoutComments(text))
    const type = found && readType(withoutComments(text).slice(found.index + found[0].length))
    const user = type?.kind === 'object' ? type.members.find(({ name }) => name === 'user') : undefined
    return user ? [{ file, type: user.type }] : []
  })
  const [first] = declared
  const reader = new UserReader(first?.file ?? null, sources, resources)
  const fields = first ? reader.fieldsOf(first.type) : reader.fieldsOfModel('User')
  if (fields === null)
    throw new Error(
      first
        ? `${first.file}: the user of Register is of a type that can not be read here. Write its members out, or as Pick<User, 'id' | 'role'>.`
        : `No file declares the user: add "interface Register { user: … }" for the module prismapi, as docs/start.md shows.`,
    )
  const claims = Object.fromEntries([...fields].map(([name, type]) => [name, claimOf(type)]))
  return { claims, model: reader.model ?? modelNamedUser(claims, resources) }
}

/** A type that names no model is of rows of the model `User` if the claims have its key. */
function modelNamedUser(claims: UserType['claims'], { models }: Resources): string | null {
  const model = Object.hasOwn(models, 'User') ? models.User : undefined
  const hasKey = model?.key.every((name) => {
    const claim = Object.hasOwn(claims, name) ? claims[name] : undefined
    return claim?.kind === 'symbol' && claim.type === model.columns[name]?.type
  })
  return hasKey ? 'User' : null
}

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

type Symbolic = Extract<ClaimType, { kind: 'symbol' }>['type']

/** The values that a member may have. */
interface Field {
  readonly literals: readonly (string | number | boolean | null)[]
  readonly symbols: readonly Symbolic[]
  /** What else it may be, as it is written. */
  readonly unknown: readonly string[]
}

type Fields = ReadonlyMap<string, Field>

function claimOf({ literals, symbols, unknown }: Field): ClaimType {
  const [symbol, ...others] = symbols
  const isPlain = literals.every((value) => value === null)
  if (unknown.length > 0 || others.length > 0 || (symbol && !isPlain))
    return { kind: 'unknown', says: [...unknown, ...symbols].join(' | ') || 'of several types' }
  return symbol
    ? { kind: 'symbol', type: symbol, isNullable: literals.length > 0 }
    : { kind: 'values', values: [...new Set(literals)] }
}

const union = (fields: readonly Field[]): Field => ({
  literals: fields.flatMap(({ literals }) => literals),
  symbols: [...new Set(fields.flatMap(({ symbols }) => symbols))],
  unknown: fields.flatMap(({ unknown }) => unknown),
})

const literal = (...literals: Field['literals']): Field => ({ literals, symbols: [], unknown: [] })
const symbol = (type: Symbolic): Field => ({ literals: [], symbols: [type], unknown: [] })

const named: Readonly<Record<string, Field>> = {
  number: symbol('Int'),
  string: symbol('String'),
  bigint: symbol('BigInt'),
  Date: symbol('DateTime'),
  boolean: literal(false, true),
  true: literal(true),
  false: literal(false),
  null: literal(null),
  undefined: literal(null),
}

class UserReader {
  /** The model whose rows users are, where the type names one. */
  model: string | null = null
  /** The file that declares the user, and all others. */
  private readonly near: readonly string[]
  private readonly far: readonly string[]
  private readonly resources: Resources

  constructor(file: string | null, sources: Sources, resources: Resources) {
    const textsOf = (isNear: boolean) =>
      [...sources].filter(([each]) => (each === file) === isNear).map(([, text]) => withoutComments(text))
    this.near = textsOf(true)
    this.far = textsOf(false)
    this.resources = resources
  }

  fieldsOfModel(name: string): Fields | null {
    const model = Object.hasOwn(this.resources.models, name) ? this.resources.models[name] : undefined
    if (!model) return null
    this.model ??= name
    return new Map(Object.values(model.columns).map((column) => [column.name, this.fieldOfColumn(column)]))
  }

  /** The members of a type; null where it is not one that can be read. */
  fieldsOf(type: TypeText): Fields | null {
    switch (type.kind) {
      case 'object':
        return new Map(
          type.members.map(({ name, optional, type: of }) => [
            name,
            optional ? union([this.fieldOf(of), literal(null)]) : this.fieldOf(of),
          ]),
        )
      case 'intersection': {
        const all = type.parts.map((part) => this.fieldsOf(part))
        return all.includes(null) ? null : new Map(all.flatMap((fields) => [...(fields as Fields)]))
      }
      case 'union': {
        const some = type.parts.filter((part) => part.kind !== 'name' || part.name !== 'null')
        return some.length === 1 ? this.fieldsOf(some[0] as TypeText) : null
      }
      case 'name':
        return this.fieldsOfName(type.name, type.args)
      default:
        return null
    }
  }

  private fieldsOfName(name: string, args: readonly TypeText[]): Fields | null {
    const [of, keys] = args
    if ((name === 'Readonly' || name === 'Required') && of) return this.fieldsOf(of)
    if ((name === 'Pick' || name === 'Omit') && of && keys) {
      const chosen = new Set(this.fieldOf(keys).literals)
      const fields = this.fieldsOf(of)
      return fields && new Map([...fields].filter(([field]) => chosen.has(field) === (name === 'Pick')))
    }
    if (name === 'RowOf' && of?.kind === 'literal') return this.fieldsOfModel(String(of.value))
    const near = declarationIn(this.near, name)
    if (near) return this.fieldsOf(near)
    const far = this.fieldsOfModel(name) === null ? declarationIn(this.far, name) : null
    return far ? this.fieldsOf(far) : this.fieldsOfModel(name)
  }

  private fieldOf(type: TypeText): Field {
    if (type.kind === 'literal') return literal(type.value)
    if (type.kind === 'union') return union(type.parts.map((part) => this.fieldOf(part)))
    if (type.kind !== 'name') return { ...literal(), unknown: [type.kind === 'object' ? 'an object' : 'a list'] }
    const known = Object.hasOwn(named, type.name) ? named[type.name] : undefined
    if (known) return known
    const values = this.resources.enums[type.name.replace(/^\$Enums\./, '')]?.values
    if (values) return literal(...values)
    const declared = type.args.length === 0 ? declarationIn([...this.near, ...this.far], type.name) : null
    return declared ? this.fieldOf(declared) : { ...literal(), unknown: [type.name] }
  }

  private fieldOfColumn({ type, isEnum, isList, isNullable }: ColumnMeta): Field {
    const some = isEnum ? literal(...(this.resources.enums[type]?.values ?? [])) : scalars[type]
    if (isList || !some) return { ...literal(), unknown: [isList ? 'a list' : type] }
    return isNullable ? union([some, literal(null)]) : some
  }
}

function declarationIn(texts: readonly string[], name: string): TypeText | null {
  if (!/^[\w$]+$/.test(name)) return null
  const pattern = new RegExp(`\\b(?:interface\\s+${name}\\s*(?=\\{)|type\\s+${name}\\s*=)`)
  for (const text of texts) {
    const found = pattern.exec(text)
    if (found) return readType(text.slice(found.index + found[0].length))
  }
  return null
}

const scalars: Readonly<Record<string, Field>> = {
  String: symbol('String'),
  Int: symbol('Int'),
  BigInt: symbol('BigInt'),
  Float: symbol('Float'),
  DateTime: symbol('DateTime'),
  Boolean: literal(false, true),
}
