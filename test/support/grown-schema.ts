// A Prisma schema of the size and the habits of applications that have grown for years: two models that almost all others
// lead to, ids of every kind, links with and without columns of their own, enums, decimals, secrets. The same schema every time.

/** What lines are on each database. */
type Provider = 'sqlite' | 'postgresql'

/** A Prisma schema with that many models, without generators. */
export function grownSchema(models = 302, provider: Provider = 'sqlite'): string {
  const all = [...Array(models).keys()].map((index) => new Model(index, provider))
  for (const model of all) model.relate(all)
  const head = `datasource db {\n  provider = "${provider}"\n}`
  return [head, ...enums(), ...all.map((model) => model.text())].join('\n\n')
}

/** The name of one of its models. */
const grownModel = (index: number): string => {
  if (index === 0) return 'User'
  if (index === 1) return 'Organization'
  const noun = nouns[Math.floor(index / areas.length) % nouns.length] as string
  const round = Math.floor(index / (areas.length * nouns.length))
  return `${areas[index % areas.length]}${noun}${round === 0 ? '' : `V${round + 1}`}`
}

const areas = ['Billing', 'Catalog', 'CRM', 'Chat', 'Course', 'Event', 'Fleet', 'Grant', 'Health', 'HR'].concat([
  'Job',
  'Ledger',
  'Media',
  'OAuth',
  'Order',
  'Print',
  'Stock',
  'Survey',
  'Ticket',
  'Travel',
])
const nouns = [
  'Account',
  'Invoice',
  'Entry',
  'Member',
  'Policy',
  'Rule',
  'Session',
  'Template',
  'Version',
  'Address',
].concat(['Budget', 'Category', 'Client', 'Device', 'Field', 'Key'])

const enumCount = 40
const enumName = (index: number): string => `Kind${index % enumCount}`
const enums = (): string[] =>
  [...Array(enumCount).keys()].map(
    (index) =>
      `enum ${enumName(index)} {\n${[...Array(3 + (index % 5)).keys()].map((value) => `  VALUE_${index}_${value}`).join('\n')}\n}`,
  )

/** How rows are named. */
type Id = 'cuid' | 'autoincrement' | 'bigint' | 'given' | 'link' | 'numbered'

const ids: readonly Id[] = [
  'cuid',
  'autoincrement',
  'cuid',
  'link',
  'bigint',
  'cuid',
  'numbered',
  'autoincrement',
].concat(['cuid', 'given']) as Id[]

class Model {
  readonly #lines: string[] = []
  readonly #index: number
  readonly #provider: Provider
  readonly name: string
  readonly id: Id

  constructor(index: number, provider: Provider) {
    this.#index = index
    this.#provider = provider
    this.name = grownModel(index)
    this.id = index < 20 ? 'cuid' : (ids[index % ids.length] as Id)
    this.#lines.push(...this.#idLines(), ...this.#columns())
  }

  /** Relations to models before this one. */
  relate(all: readonly Model[]): void {
    const [user, organization] = all as [Model, Model]
    const near = [7, 13, 40].map((distance) => all[this.#index - distance]).filter((each) => each?.hasPlainId)
    const [parent, other] = near as Model[]
    if (this.id === 'link') {
      this.#belongsTo(parent ?? user, 'first', true)
      this.#belongsTo(other ?? organization, 'second', true)
      this.#lines.push('  @@id([firstId, secondId])')
    } else if (parent && this.#index % 4 > 0) this.#belongsTo(parent, 'parent', this.#index % 3 === 0)
    if (this.id !== 'link' && other && this.#index % 2 === 0) this.#belongsTo(other, 'origin', false)
    if (this.#index > 1 && this.#index % 5 < 3) this.#belongsTo(organization, 'organization', this.#index % 2 === 0)
    if (this.#index > 1 && this.#index % 5 > 2) this.#belongsTo(user, 'createdBy', false)
    if (this.#index % 8 === 0 && this.hasPlainId && parent) this.#manyToMany(parent)
    if (this.id === 'numbered') this.#lines.push('  @@id([code, number])')
  }

  text(): string {
    return `model ${this.name} {\n${this.#lines.join('\n')}\n}`
  }

  get hasPlainId(): boolean {
    return this.id === 'cuid' || this.id === 'autoincrement' || this.id === 'bigint'
  }

  get idType(): string {
    return { cuid: 'String', autoincrement: 'Int', bigint: 'BigInt', given: 'String', link: '', numbered: '' }[this.id]
  }

  #idLines(): string[] {
    switch (this.id) {
      case 'cuid':
        return ['  id String @id @default(cuid())']
      case 'autoincrement':
        return ['  id Int @id @default(autoincrement())']
      case 'bigint':
        return ['  id BigInt @id @default(autoincrement())']
      case 'given':
        return ['  code String @id']
      case 'numbered':
        return ['  code String', '  number Int']
      default:
        return []
    }
  }

  #columns(): string[] {
    const i = this.#index
    const native = (type: string) => (this.#provider === 'postgresql' ? ` ${type}` : '')
    const kinds = [
      `  name String${native('@db.VarChar(120)')}`,
      '  description String?',
      `  status ${enumName(i)} @default(VALUE_${i % enumCount}_0)`,
      `  price Decimal?${native('@db.Decimal(12, 2)')}`,
      '  quantity Int @default(0)',
      `  category ${enumName(i + 7)}?`,
      '  isActive Boolean @default(true)',
      '  metadata Json?',
      `  startsOn DateTime?${native('@db.Date')}`,
      `  apiKey String?`,
      '  externalId String? @unique',
      `  total Decimal${native('@db.Decimal(10, 4)')}`,
      '  score Float?',
      '  inputTokens Int?',
      '  secret String',
      '  bytes BigInt @default(0)',
      '  slug String',
      '  avatar Bytes?',
    ]
    const own = kinds.filter((_, kind) => kind < 3 || (i * 31 + kind * 17) % 9 < 4)
    return [...own, '  createdAt DateTime @default(now())', ...(i % 2 ? ['  updatedAt DateTime @updatedAt'] : [])]
  }

  #belongsTo(target: Model, name: string, isRequired: boolean): void {
    const mark = isRequired ? '' : '?'
    const relation = `"${this.name}_${name}"`
    this.#lines.push(
      `  ${name}Id ${target.idType}${mark}`,
      `  ${name} ${target.name}${mark} @relation(${relation}, fields: [${name}Id], references: [id]${isRequired ? ', onDelete: Cascade' : ''})`,
      ...(isRequired || this.#index % 4 > 0 ? [`  @@index([${name}Id])`] : []),
    )
    target.#lines.push(
      `  ${listName(this.name)}${name === 'parent' ? '' : `By${name}`} ${this.name}[] @relation(${relation})`,
    )
  }

  #manyToMany(target: Model): void {
    const relation = `"${this.name}_${target.name}"`
    this.#lines.push(`  linked${target.name}s ${target.name}[] @relation(${relation})`)
    target.#lines.push(`  linked${this.name}s ${this.name}[] @relation(${relation})`)
  }
}

const listName = (model: string): string => `${model.charAt(0).toLowerCase()}${model.slice(1)}s`
