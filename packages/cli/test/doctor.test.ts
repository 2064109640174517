import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { read } from '../../../test/support/documentation/pages.ts'
import { run } from '../src/run.ts'

const source = resolve(import.meta.dirname, '../..')
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prismapi-doctor-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function put(path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

async function prismapi(line: string) {
  const [said, complained]: [string[], string[]] = [[], []]
  const status = await run(line.split(' '), root, {
    say: (text) => void said.push(text),
    complain: (text) => void complained.push(text),
    paint: (_colour, text) => text,
  })
  return { status, said: said.join('\n'), complained: complained.join('\n') }
}

async function report(line = 'doctor --json') {
  const { said } = await prismapi(line)
  return JSON.parse(said)
}

const serverFile = (name: string, models: string) => `import { Server } from '${source}/core/src/server/server.ts'
export default class ${name} extends Server {
  name = '${name.toLowerCase()}'
  models = ${models}
  authorizable() { return false }
}
`

const database = `generator client {
  provider        = "prisma-client"
  output          = "./client"
  previewFeatures = ["views"]
}

datasource db {
  provider = "sqlite"
}

`

const parcels = `${database}enum Stage {
  DRAFT
  SENT
}

model Parcel {
  id        Int      @id @default(autoincrement())
  type      String
  stage     Stage    @default(DRAFT)
  weight    Decimal?
  apiKey    String?
  /// @hidden
  note      String?
  createdAt DateTime @default(now())
  sender    Sender   @relation(fields: [code], references: [code])
  code      String
}

model Sender {
  code    String   @id
  name    String
  parcels Parcel[]
}

view Tally {
  stage String
  total Int
}
`

const all = ['viewAny', 'view', 'create', 'update', 'delete']
const attribute = (name: string, kind: string, over: object = {}) => ({
  ...{ name, kind, list: false, nullable: false, required: false, readOnly: false },
  ...over,
})
const tallySkipped =
  'it has no id and no unique without nullable fields, so its rows cannot be named. Add @id or @unique.'

describe('doctor --json', () => {
  test('prints types with ids, attributes and relations, and what became of the rest', async () => {
    put('prisma/schema.prisma', parcels)
    expect(await report()).toEqual({
      types: [
        {
          type: 'parcels',
          model: 'Parcel',
          id: { fields: ['id'], clientGenerated: false, kind: 'integer' },
          operations: all,
          attributes: [
            attribute('parcelType', 'string', { required: true }),
            attribute('stage', 'enum', { values: ['DRAFT', 'SENT'] }),
            attribute('weight', 'decimal', { nullable: true, digits: { precision: 15 } }),
            attribute('createdAt', 'datetime', { readOnly: true }),
          ],
          relations: [{ name: 'sender', kind: 'toOne', types: ['senders'], required: true, readOnly: false }],
        },
        {
          type: 'senders',
          model: 'Sender',
          id: { fields: ['code'], clientGenerated: true, kind: 'string' },
          operations: all,
          attributes: [attribute('name', 'string', { required: true })],
          relations: [{ name: 'parcels', kind: 'toMany', types: ['parcels'], required: false, readOnly: false }],
        },
      ],
      hidden: [
        { model: 'Parcel', field: 'apiKey', reason: 'its name says that it holds a secret.' },
        { model: 'Parcel', field: 'note', reason: 'it is annotated with @hidden.' },
      ],
      secrets: [],
      renamed: [{ model: 'Parcel', field: 'type', name: 'parcelType', reason: 'JSON:API does not allow the name.' }],
      skipped: [{ model: 'Tally', reason: tallySkipped }],
      warnings: ['Parcel: parcels of senders are found by code, and no index begins with it. Add @@index([code]).'],
    })
  })

  test('and its table say which relations are null in documents, whether they have to be sent or not', async () => {
    put(
      'prisma/schema.prisma',
      `${database}model Post {
  id         Int   @id @default(autoincrement())
  /// @readOnly
  author     User  @relation("written", fields: [authorId], references: [id])
  authorId   Int
  reviewer   User? @relation("reviewed", fields: [reviewerId], references: [id])
  reviewerId Int?
}

model User {
  id       Int    @id @default(autoincrement())
  written  Post[] @relation("written")
  reviewed Post[] @relation("reviewed")
}
`,
    )
    const { types } = await report()
    const toUsers = { kind: 'toOne', types: ['users'], required: false }
    expect(types[0].relations).toEqual([
      { name: 'author', ...toUsers, nullable: false, readOnly: true },
      { name: 'reviewer', ...toUsers, readOnly: false },
    ])
    expect((await prismapi('doctor')).said).toContain('author: users, reviewer?: users\n')
  })

  test('says all that a client needs to know of values, and why a type cannot be created', async () => {
    put(
      'prisma/schema.prisma',
      `${database.replace('sqlite', 'postgresql')}enum Country {
  AT
  CH
}

model Rate {
  country Country  @id
  price   Decimal  @db.Decimal(10, 2)
  tax     Decimal?
  since   DateTime @db.Date
  opens   DateTime @db.Time(0)
  secret  String
}

model Vault {
  id   Int    @id @default(autoincrement())
  /// @hidden
  code String
}
`,
    )
    const { types, secrets } = await report()
    expect(types[0].id).toEqual({ fields: ['country'], clientGenerated: true, kind: 'enum', values: ['AT', 'CH'] })
    expect(types[0].attributes).toEqual([
      attribute('price', 'decimal', { required: true, digits: { precision: 10, scale: 2 } }),
      attribute('tax', 'decimal', { nullable: true, digits: { precision: 65, scale: 30 } }),
      attribute('since', 'date', { required: true }),
      attribute('opens', 'time', { required: true }),
      attribute('secret', 'string', { required: true, writeOnly: true }),
    ])
    expect(secrets).toEqual([{ model: 'Rate', field: 'secret', reason: expect.stringContaining('/// @hidden') }])
    expect([types[1].operations, types[1].notCreated]).toEqual([
      ['viewAny', 'view', 'update', 'delete'],
      'Clients cannot send code, which is required: only a creating hook can.',
    ])
  })

  test('a type whose new rows a hook fills can be created', async () => {
    put(
      'prisma/schema.prisma',
      `${database}model Vault {\n  id Int @id @default(autoincrement())\n  /// @hidden\n  code String\n}\n`,
    )
    put(
      'src/app/v1/server.ts',
      `export default class V1 {
  serving(phase) {
    phase.scope('Vault', { id: phase.user?.vault.ids[0] ?? 0 })
    if (!phase.user) return
    for (const model of ['Vault']) phase.creating(model, () => ({ code: phase.user.code }))
  }
}
`,
    )
    const { types } = await report()
    expect([types[0].operations, types[0].notCreated]).toEqual([
      ['viewAny', 'view', 'create', 'update', 'delete'],
      undefined,
    ])
    expect((await prismapi('doctor')).said).not.toContain('no create')
    expect((await prismapi('doctor --server=v1')).said).not.toContain('no create')
  })

  test('says why a start would fail', async () => {
    put('prisma/schema.prisma', `${database}model Tag {\n  id Int @id @default(autoincrement())\n  name String\n}\n`)
    put(
      'src/app/v1/server.ts',
      `import { Server } from '${source}/core/src/server/server.ts'\nexport default class V1 extends Server { name = 'v1' }\n`,
    )
    put(
      'requests/tag.request.ts',
      `import { ResourceRequest, string } from '${source}/prismapi/src/building-blocks.ts'
export default class TagRequest extends ResourceRequest {
  rules() { return { nmae: string() } }
}
`,
    )
    const refusal =
      'requests/tag.request.ts: TagRequest: there is no field for the rule nmae. Did you mean name? (Server v1.)'
    expect((await report()).warnings).toEqual([`The start would fail: ${refusal}`])
    expect(read('docs/doctor.md')).toContain(`The start would fail: ${refusal}`)
  })

  test('what is ignored by decision is told, and nothing is wrong with it', async () => {
    put(
      'prisma/schema.prisma',
      `${database}model User {
  id    Int   @id
  posts Post[]
}

model Post {
  id     Int  @id
  user   User @relation(fields: [userId], references: [id]) @ignore
  userId Int
}
`,
    )
    const { status, said } = await prismapi('doctor --json')
    const { types, skipped } = JSON.parse(said)
    expect(status).toBe(0)
    expect(skipped).toEqual([
      {
        model: 'User',
        field: 'posts',
        reason: 'the other end of the relation is ignored. Remove its @ignore.',
        isIgnored: true,
      },
    ])
    expect(types[1].attributes).toEqual([attribute('userId', 'integer', { required: true })])
  })

  test('a type that nobody can write requires nothing and has nothing to be written', async () => {
    put('prisma/schema.prisma', `${database}view Tally {\n  id Int @unique\n  total Int\n}\n`)
    const { types } = await report()
    expect(types).toEqual([
      {
        type: 'tallies',
        model: 'Tally',
        id: { fields: ['id'], clientGenerated: true, kind: 'integer' },
        operations: ['viewAny', 'view'],
        notCreated: 'It is a view, whose rows are made elsewhere.',
        attributes: [attribute('total', 'integer', { readOnly: true })],
        relations: [],
      },
    ])
  })

  test('an index serves a foreign key in any order of its columns, and a unique one by itself', async () => {
    put(
      'prisma/schema.prisma',
      `${database}model Seat {
  row     Int
  place   Int
  tickets Ticket[]
  owner   Owner?

  @@id([row, place])
}

model Ticket {
  id    Int  @id @default(autoincrement())
  row   Int
  place Int
  seat  Seat @relation(fields: [row, place], references: [row, place])

  @@index([place, row])
}

model Owner {
  id    Int  @id @default(autoincrement())
  row   Int
  place Int
  seat  Seat @relation(fields: [row, place], references: [row, place])

  @@unique([row, place])
}
`,
    )
    expect(await report()).toMatchObject({ skipped: [], warnings: [] })
  })

  test('a composite id has its fields, and is no attribute that could be sent beside it', async () => {
    put('prisma/schema.prisma', `${database}model Seat {\n  row Int\n  place String\n\n  @@id([row, place])\n}\n`)
    const { types } = await report()
    expect(types).toMatchObject([
      {
        id: { fields: ['row', 'place'], clientGenerated: true, kind: 'composite' },
        attributes: [attribute('row', 'integer', { readOnly: true }), attribute('place', 'string', { readOnly: true })],
      },
    ])
  })
})

describe('what people read', () => {
  test('is a table, and what was decided without being asked; what cannot be served is complained of', async () => {
    put('prisma/schema.prisma', parcels)
    expect(await prismapi('doctor')).toEqual({
      status: 1,
      said: `prisma/schema.prisma (sqlite) becomes 2 types
  1 model or relation cannot be served: see the errors
  1 warning: see below
  2 hidden, 1 renamed

  type     model   id                    relations
  parcels  Parcel  integer               sender: senders
  senders  Sender  string, from clients  parcels: parcels[]

hidden
  Parcel.apiKey: its name says that it holds a secret.
  Parcel.note: it is annotated with @hidden.

renamed
  Parcel.type: served as parcelType, because JSON:API does not allow the name.

warnings
  Parcel: parcels of senders are found by code, and no index begins with it.
    Add @@index([code]).`,
      complained: `error prisma/schema.prisma: Tally is not served: ${tallySkipped}`,
    })
  })

  test('breaks long lists of relations between two of them', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `relation${i}`)
    const near = names.map((name) => `  ${name} Far[] @relation("${name}")\n`).join('')
    const far = names.map((name) => `  ${name} Near[] @relation("${name}")\n`).join('')
    put(
      'prisma/schema.prisma',
      `${database}model Near {\n  id Int @id @default(autoincrement())\n${near}}\nmodel Far {\n  id Int @id @default(autoincrement())\n${far}}\n`,
    )
    const { said } = await prismapi('doctor')
    const lines = said.split('\n').slice(4, 6)
    expect(lines).toEqual([
      '  nears  Near   integer  relation0: fars[], relation1: fars[],',
      '                         relation2: fars[], relation3: fars[],',
    ])
  })

  test('puts relations below names that leave no room beside them, in 80 columns', async () => {
    const long = 'AModelWhoseNameIsLongerThanAnyTerminalLikes'
    put(
      'prisma/schema.prisma',
      `${database}model ${long} {\n  id Int @id @default(autoincrement())\n  tags Tag[]\n}\nmodel Tag {\n  id Int @id @default(autoincrement())\n  of ${long}[]\n}\n`,
    )
    const { said } = await prismapi('doctor')
    expect(said).toContain(`  integer\n      tags: tags[]\n`)
  })

  test('nothing to say, and status 0', async () => {
    put('prisma/schema.prisma', `${database}model Tag {\n  id Int @id @default(autoincrement())\n}\n`)
    expect(await prismapi('doctor')).toEqual({
      status: 0,
      said: 'prisma/schema.prisma (sqlite) becomes 1 type\n  nothing is missing\n\n  type  model  id       relations\n  tags  Tag    integer',
      complained: '',
    })
  })
})

describe('what cannot be served', () => {
  test('is complained of with the file of a folder that it stands in, each in a line', async () => {
    put('prisma.config.ts', `export default { schema: 'db/models' }`)
    put('db/models/main.prisma', database)
    put('db/models/deep/views.prisma', 'view Tally {\n  total Int\n}\n')
    put(
      'db/models/user.prisma',
      'model User {\n  /// @hidden\n  id Int @id\n  /// @hiden\n  name String\n  logs Log[]\n}\n',
    )
    put(
      'db/models/log.prisma',
      'model Log {\n  id Int @id\n  by User @relation(fields: [userId], references: [id])\n  userId Int\n}\n',
    )
    const { status, said, complained } = await prismapi('doctor')
    expect(said).toContain('db/models (sqlite) becomes 2 types')
    expect({ status, complained: complained.split('\n') }).toEqual({
      status: 1,
      complained: [
        'error db/models/user.prisma: model User, field id: @hidden cannot stand on an id, which every resource shows. Remove it.',
        'error db/models/user.prisma: model User, field name: @hiden is not an annotation. Did you mean @hidden?',
        `error db/models/deep/views.prisma: Tally is not served: ${tallySkipped}`,
      ],
    })
  })

  test.each([
    [
      'datasource db {\n  provider = "mongodb"\n}\n',
      'prisma/schema.prisma: mongodb is no SQL database. Choose another provider.',
    ],
    ['model A {\n  id Int @id\n}\n', 'prisma/schema.prisma: no datasource. Add one: the API depends on its database.'],
  ])('a schema for no database of ours', async (text, message) => {
    put('prisma/schema.prisma', text)
    expect(await prismapi('doctor')).toEqual({ status: 1, said: '', complained: `error ${message}` })
  })

  test('a schema that Prisma refuses, with the place', async () => {
    put('prisma/schema.prisma', `${database}model Post {\n  id Int @id\n  by Usr\n}\n`)
    const { status, said, complained } = await prismapi('doctor --json')
    expect({ status, said }).toEqual({ status: 1, said: '' })
    expect(complained).toMatch(/^error Type "Usr" is neither a built-in type.*\n {2}--> {2}prisma\/schema\.prisma:13\n/)
  })

  test.each([
    ['doctor --schema=other.prisma', '--schema=other.prisma: there is no such file or folder.'],
    ['doctor --server=v1', 'There is no server yet. Run prismapi server <name>.'],
    ['doctor posts', 'Usage: prismapi doctor [--server=<server>] [--schema=<path>] [--json]'],
  ])('%s', async (line, message) => {
    put('prisma/schema.prisma', parcels)
    expect(await prismapi(line)).toEqual({ status: 1, said: '', complained: `error ${message}` })
  })

  test('a schema that prisma.config.ts names and that is not there', async () => {
    put('prisma/schema.prisma', parcels)
    put('prisma.config.ts', `export default { schema: 'db/schema.prisma' }`)
    const complained = 'error There is no db/schema.prisma, which prisma.config.ts names as the schema. Correct it.'
    expect(await prismapi('doctor')).toEqual({ status: 1, said: '', complained })
  })

  test('a prisma.config.ts that fails', async () => {
    put('prisma.config.ts', `throw new Error('Not today.')`)
    const complained = 'error prisma.config.ts cannot be read: Not today.'
    expect(await prismapi('doctor')).toEqual({ status: 1, said: '', complained })
  })
})

describe('doctor --server', () => {
  const schemaOf = (body: string) =>
    `import { Schema } from '${source}/jsonapi/src/schema/schema.ts'\nexport default class ParcelSchema extends Schema {\n${body}\n}\n`

  beforeEach(() => {
    put('prisma/schema.prisma', parcels)
    put('src/app/v1/server.ts', serverFile('V1', "['Parcel', 'Sender']"))
  })

  test('shows what the schema classes of the server change, and only the models that it serves', async () => {
    const fields = `fields() {
  return [this.attribute('weight').hidden(), this.attribute('label').computed(['code'], (row) => row.code),
    this.attribute('stage').asReadOnly(), this.attribute('apiKey').visible()]
}
type = 'boxes'
defaultSort = '-createdAt'`
    put('src/app/v1/parcel.schema.ts', schemaOf(fields))
    expect(await prismapi('doctor --server=v1')).toEqual({
      status: 0,
      said: `prisma/schema.prisma (sqlite) becomes 2 types on v1
  1 warning: see below
  2 hidden, 1 renamed

  type     model   id                    relations
  boxes    Parcel  integer               sender: senders
  senders  Sender  string, from clients  parcels: boxes[]

changed by schema classes
  Parcel: is served as boxes; drops weight; adds apiKey, label; changes stage
  Sender: changes parcels

hidden
  Parcel.weight: the schema class hides it.
  Parcel.note: it is annotated with @hidden.

renamed
  Parcel.type: served as parcelType, because JSON:API does not allow the name.

warnings
  Parcel: 2 indexes are missing for relations and sorts. Add @@index([code]),
    @@index([createdAt]).`,
      complained: '',
    })
  })

  test('shows what the schema classes change that a server has of the one that its class extends', async () => {
    put('src/app/v1/parcel.schema.ts', schemaOf("fields() { return [this.attribute('weight').hidden()] }"))
    put('src/app/v1/sender.schema.ts', schemaOf("type = 'people'"))
    const later = (name: string, earlier: string) =>
      `import Earlier from '../${earlier}/server.ts'\nexport default class extends Earlier { name = '${name}' }\n`
    put('src/app/v2/server.ts', later('v2', 'v1'))
    put('src/app/v3/server.ts', later('v3', 'v2'))
    put('src/app/v3/sender.schema.ts', schemaOf("type = 'shippers'"))
    const typesOf = async (server: string) => {
      const { types } = await report(`doctor --server=${server} --json`)
      return types.map(({ type, attributes }: { type: string; attributes: readonly { name: string }[] }) => [
        type,
        attributes.some(({ name }) => name === 'weight'),
      ])
    }
    const parcels = ['parcels', false]
    expect(await typesOf('v2')).toEqual([parcels, ['people', false]])
    expect(await typesOf('v3')).toEqual([parcels, ['shippers', false]])
    await prismapi('request Parcel --server=v3')
    expect(readFileSync(join(root, 'requests/v3/parcel.request.ts'), 'utf8')).not.toContain('weight')
  })

  test('an order needs an index in its own order', async () => {
    put(
      'prisma/schema.prisma',
      parcels.replace(
        'String\n}\n\nmodel Sender',
        'String\n\n  @@index([code])\n  @@index([weight, stage])\n}\n\nmodel Sender',
      ),
    )
    put('src/app/v1/parcel.schema.ts', schemaOf("defaultSort = 'weight,-stage'"))
    expect(await report('doctor --server=v1 --json')).toMatchObject({ warnings: [] })
    put('src/app/v2/server.ts', serverFile('V2', "['Parcel', 'Sender']"))
    put('src/app/v2/parcel.schema.ts', schemaOf("defaultSort = '-stage,weight'"))
    expect(await report('doctor --server=v2 --json')).toMatchObject({
      warnings: [
        'Parcel: parcels are sorted by stage, weight, and no index begins with them. Add @@index([stage, weight]).',
      ],
    })
  })

  test('what the policies of the server make of relations is told', async () => {
    const linked = `${database}model Post {
  id    Int       @id @default(autoincrement())
  links PostTag[]
}

model Tag {
  id    Int       @id @default(autoincrement())
  links PostTag[]
}

model PostTag {
  post   Post @relation(fields: [postId], references: [id])
  postId Int
  tag    Tag  @relation(fields: [tagId], references: [id])
  tagId  Int

  @@id([postId, tagId])
  @@index([tagId])
}
`
    const serverOf = (viewEverywhere: boolean) => `import { Server } from '${source}/core/src/server/server.ts'
export default class V1 extends Server {
  name = 'v1'
  viewEverywhere = ${viewEverywhere}
}
`
    const policyOf = (rule: string) => `import { Policy } from '${source}/core/src/auth/policy.ts'
export default class extends Policy {
  abilities({ can }) {
    ${rule}
  }
}
`
    put('prisma/schema.prisma', linked)
    put('src/app/v1/server.ts', serverOf(true))
    put('policies/post.policy.ts', policyOf("can(['viewAny', 'view'])"))
    put('policies/tag.policy.ts', policyOf("can('viewAny')"))
    const empty =
      'Server v1: posts.tags, tags.posts are empty for everybody, because PostTag has no policy. Write one: npx prismapi policy PostTag.'
    const shown =
      'Server v2: an include shows rows that policies deny to somebody: tags (posts.tags, post-tags.tag), post-tags (posts.postLinks, tags.tagLinks). Set viewEverywhere = true in the server class, or hide these rows by a scope.'
    expect((await report('doctor --server=v1 --json')).warnings).toEqual([empty])
    put('src/app/v2/server.ts', serverOf(false).replace("'v1'", "'v2'"))
    expect((await report('doctor --server=v2 --json')).warnings).toEqual([shown])
  })

  test('a model that the server leaves out is said', async () => {
    put('src/app/v1/server.ts', serverFile('V1', "['Sender']"))
    const { said } = await prismapi('doctor --server=v1')
    expect(said).toContain('changed by schema classes\n  Parcel: is not served\n  Sender: drops parcels')
  })

  test('a schema class that cannot be is named with its file', async () => {
    put('src/app/v1/parcel.schema.ts', schemaOf("defaultSort = 'wight'"))
    const complained =
      "error src/app/v1/parcel.schema.ts: parcels: defaultSort: Sort parameter wight is not allowed. Declare what a client could ask for, or raise the server's limit."
    expect(await prismapi('doctor --server=v1')).toEqual({ status: 1, said: '', complained })
  })

  test('a schema class of no model is named', async () => {
    put('src/app/v1/parcl.schema.ts', schemaOf(''))
    const complained =
      'error src/app/v1/parcl.schema.ts: no model is called parcl in the Prisma schema. Rename the file.'
    expect(await prismapi('doctor --server=v1')).toEqual({ status: 1, said: '', complained })
  })
})

test('a model that is scoped on one server alone is named', async () => {
  const server = (name: string, serving: string) => `import { Server } from '${source}/core/src/server/server.ts'
export default class ${name} extends Server {
  name = '${name.toLowerCase()}'
  authorizable() { return false }
  serving(phase) { ${serving} }
}
`
  put(
    'prisma/schema.prisma',
    `${database}model Note {
  id    Int    @id
  owner String
}
`,
  )
  put('src/app/v1/server.ts', server('V1', "if (phase.user) phase.scope('Note', { owner: phase.user.name })"))
  put('src/app/v2/server.ts', server('V2', ''))
  const { warnings } = await report()
  expect(warnings).toEqual([
    "Note has a scope on v1, and none on v2, which serves it, too. Add phase.scope('Note', …) there; phase.scope('Note', {}) says that all rows may be seen.",
  ])
})
