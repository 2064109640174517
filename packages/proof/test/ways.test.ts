import type { AnyRules } from '@prismapi/core/auth/policy'
import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { Policy, ResourceRequest, Schema, type Serving } from 'prismapi'
import type { PolicyClass } from 'prismapi/types'
import { expect, test } from 'vitest'
import { provedOf } from '../../../test/support/proof/proved.ts'
import { checkAssertion, parseAssertion } from '../src/assertion.ts'
import { differences } from '../src/differences.ts'
import { policyModel } from '../src/model/policy-model.ts'
import { type Proved, Prover } from '../src/prover.ts'
import { whoMay } from '../src/who.ts'

const models = `
model User {
  id     Int     @id
  handle String  @unique
  posts  Post[]
  badge  Badge?
  pages  Page[]
  notes  Note[]
}

model Post {
  id        Int       @id
  title     String
  author    User?     @relation(fields: [authorId], references: [id], onDelete: SetNull)
  authorId  Int?
  comments  Comment[]
  postLabels PostLabel[]
}

model Badge {
  id     Int  @id
  text   String
  user   User? @relation(fields: [userId], references: [id], onDelete: Restrict)
  userId Int?  @unique
}

model Comment {
  id      Int    @id
  text    String
  post    Post   @relation(fields: [postId], references: [id], onDelete: Cascade)
  postId  Int
  replies Reply[]
}

model Reply {
  id        Int     @id
  comment   Comment @relation(fields: [commentId], references: [id], onDelete: Cascade)
  commentId Int
}

model Label {
  id    Int         @id
  name  String
  postLabels PostLabel[]
}

model PostLabel {
  post    Post  @relation(fields: [postId], references: [id], onDelete: Restrict)
  postId  Int
  label   Label @relation(fields: [labelId], references: [id], onDelete: Restrict)
  labelId Int

  @@id([postId, labelId])
}

model Page {
  id     Int    @id
  owner  User   @relation(fields: [handle], references: [handle], onDelete: Restrict)
  handle String
}

model Note {
  id        Int       @id
  text      String
  deletedAt DateTime?
  user      User?     @relation(fields: [userId], references: [id], onDelete: Cascade)
  userId    Int?
  above     Note?     @relation("below", fields: [aboveId], references: [id], onDelete: Cascade)
  aboveId   Int?
  below     Note[]    @relation("below")
}
`

type User = { readonly id: number } | null

/** Everybody sees everything; what more is allowed stands in the test. */
const policy = (allow: (rules: AnyRules, user: User) => void = () => {}): PolicyClass =>
  class extends Policy {
    override abilities(rules: AnyRules, user: unknown) {
      rules.can(this.reads as never)
      allow(rules, user as User)
    }
  } as never

const names = ['User', 'Post', 'Badge', 'Comment', 'Reply', 'Label', 'PostLabel', 'Page', 'Note']
const silent = Object.fromEntries(names.map((name) => [name, policy()]))

const own = (actions: string | string[], where: (user: { readonly id: number }) => object) =>
  policy(({ can }, user) => {
    if (user) can(actions, where(user))
  })
const ownUser = own('update', (user) => ({ id: user.id }))

const schema = (fields: (schema: Schema) => object[]): SchemaClass =>
  class extends Schema {
    override fields() {
      return fields(this as never) as never
    }
  } as never
const open = (...relations: string[]) =>
  schema((given) =>
    relations.map((name) =>
      (given as never as { relation(name: string): { withoutUpdatePolicy(): object } })
        .relation(name)
        .withoutUpdatePolicy(),
    ),
  )

type Parts = Omit<Parameters<typeof provedOf>[0], 'models'>

const proved = ({ policies, ...parts }: Parts): Proved =>
  provedOf({ models, policies: { ...silent, ...policies }, ...parts })

async function verdictOn(parts: Parts, sentence: string) {
  const prover = new Prover(proved(parts))
  try {
    return await checkAssertion(prover, await prover.model(), parseAssertion(sentence))
  } finally {
    await prover.close()
  }
}

const action = (on: 'member' | 'collection', handle: (event: never) => unknown, method = 'POST'): SchemaClass =>
  class extends Schema {
    override actions() {
      return [this.action('run', { on, method, handle } as never)]
    }
  } as never

class Open extends ResourceRequest {
  override authorize() {
    return this.user === null ? null : false
  }
}

type Db = { readonly post: Readonly<Record<'update' | 'updateMany' | 'count' | 'create', (query: object) => unknown>> }

const ways: readonly (readonly [what: string, parts: Parts, sentence: string, by: string | null])[] = [
  ['a link of a parent asks the row’s own policy', { policies: { User: ownUser } }, 'user never update Post', null],
  [
    'unless a schema class says otherwise',
    { policies: { User: ownUser }, schemas: { User: open('posts') } },
    'user never update Post where {"authorId":{"not":{"user":"id"}}}',
    'update of User, relation posts',
  ],
  [
    'of such a link, the other caller knows nothing',
    { policies: { User: ownUser }, schemas: { User: open('posts') } },
    'guest never update Post',
    null,
  ],
  [
    'it changes that relation, and no other field',
    { policies: { User: ownUser }, schemas: { User: open('posts') } },
    'user never update Post.title',
    null,
  ],
  [
    'of the relation it does',
    { policies: { User: ownUser }, schemas: { User: open('posts') } },
    'user never update Post.author',
    'update of User, relation posts',
  ],
  [
    'a new parent links, too',
    { policies: { User: policy(({ can }) => can('create')) }, schemas: { User: open('posts') } },
    'guest never update Post',
    'create of User, relation posts',
  ],
  [
    'so do the endpoints of the relationship',
    { policies: { User: policy(({ can }) => can('detachPosts')) }, schemas: { User: open('posts') } },
    'guest never update Post',
    'update of User, relation posts',
  ],
  [
    'which take away from the row alone that it is linked with',
    { policies: { User: policy(({ can }) => can('detachPosts')) }, schemas: { User: open('posts') } },
    'guest never update Post where {"authorId":null}',
    null,
  ],
  [
    'a relation to one',
    { policies: { User: ownUser }, schemas: { User: open('badge') } },
    'user never update Badge',
    'update of User, relation badge',
  ],
  [
    'a link asks the request class of the row as well, which denies it',
    { policies: { User: ownUser, Post: policy(({ can }) => can('update')) }, requests: { Post: Open as never } },
    'user never update Post',
    null,
  ],
  [
    'a rule for a field of the parent counts',
    {
      policies: {
        User: policy(({ can, cannot }) => {
          can('update')
          cannot('update', 'posts')
        }),
      },
      schemas: { User: open('posts') },
    },
    'guest never update Post',
    null,
  ],
  [
    'the URL of a relationship whose key the row has',
    { policies: { Post: policy(({ can }) => can('updateAuthor')) } },
    'guest never update Post',
    'updateAuthor of Post',
  ],
  [
    'the database clears a key',
    { policies: { User: policy(({ can }) => can('delete')) } },
    'guest never update Post',
    'delete of User, onDelete of Post.author',
  ],
  [
    'of rows that lead nowhere it clears none',
    { policies: { User: policy(({ can }) => can('delete')) } },
    'guest never update Post where {"authorId":null}',
    null,
  ],
  [
    'the database removes rows',
    { policies: { Post: policy(({ can }) => can('delete')) } },
    'guest never delete Comment',
    'delete of Post, onDelete of Comment.post',
  ],
  [
    'and those that go with them',
    { policies: { Post: policy(({ can }) => can('delete')) } },
    'guest never delete Reply',
    'delete of Comment, onDelete of Reply.comment',
  ],
  [
    'a row that leaves its parent',
    {
      policies: { Post: policy(({ can }) => can('detachComments')) },
      schemas: {
        Post: schema((given) => [
          (given as never as { relation(name: string): { deleteOnDetach(): object } })
            .relation('comments')
            .deleteOnDetach(),
        ]),
      },
    },
    'guest never delete Comment',
    'update of Post, relation comments',
  ],
  [
    'rows of a join model are made as their own policy says',
    { policies: { Post: policy(({ can }) => can('attachLabels')) } },
    'guest never create PostLabel',
    null,
  ],
  [
    'or as a schema class does',
    { policies: { Post: policy(({ can }) => can('attachLabels')) }, schemas: { Post: open('labels') } },
    'guest never create PostLabel',
    'update of Post, relation labels',
  ],
  [
    'and removed',
    { policies: { Label: policy(({ can }) => can('detachPosts')) }, schemas: { Label: open('posts') } },
    'guest never delete PostLabel',
    'update of Label, relation posts',
  ],
  [
    'a row that was deleted softly goes with its parent for good',
    {
      policies: { User: policy(({ can }) => can('delete')), Note: policy(({ can }) => can('viewTrashed')) },
      schemas: {
        Note: class extends Schema {
          override readonly softDelete = 'deletedAt' as never
        } as never,
      },
    },
    'guest never forceDelete Note',
    'delete of User, onDelete of Note.user',
  ],
]

test.each(ways)('%s', async (_, parts, sentence, by) => {
  const verdict = await verdictOn(parts, sentence)
  if (by === null) expect(verdict).toEqual({ holds: true })
  else expect(verdict).toMatchObject({ holds: false, by, who: expect.anything() })
})

test('a row and the one above it may lead to two others', async () => {
  const sentence = `user never update Note where {"user":{"is":{"handle":"a","id":{"user":"id"}}},"above":{"is":{"userId":{"not":{"user":"id"}}}}}`
  const verdict = await verdictOn({ policies: { Note: own('update', (user) => ({ userId: user.id })) } }, sentence)
  expect(verdict).toMatchObject({ holds: false, row: { user: { handle: 'a' }, above: {} } })
})

test('how far up rows go with others no formula says, so that nothing is proven of it', async () => {
  const verdict = await verdictOn(
    { policies: { User: policy(({ can }) => can('delete')) } },
    'guest never delete Note where {"above":{"is":{"userId":null}},"userId":null}',
  )
  expect(verdict).toEqual({
    holds: null,
    opaque: ['Note goes with Note, and that with others: no formula says how far'],
  })
})

const runs = policy(({ can }) => can('run' as never))

type CodedCase = readonly [what: string, parts: Parts, sentence: string, opaque: string | null]

type Work = (event: { readonly db: Db }) => unknown
type Event = { afterCommit(work: Work): void }
type System = { asSystem(): Db & { readonly label: Db['post'] } }
const labelsSay = (hook: (row: never, event: never) => unknown): Parts => ({
  policies: { Label: policy(({ can }) => can('create')) },
  serving: (phase: Serving) => phase.saved('Label' as never, hook as never),
})
const elsewhere: Work = ({ db }) => db.post.create({})
const laterSays = 'saved hook of Label is code, which may create Post'

const later: readonly CodedCase[] = [
  [
    'work after the commit of a hook',
    labelsSay((_, { afterCommit }: Event) => afterCommit(({ db }) => db.post.create({}))),
    'guest never create Post',
    laterSays,
  ],
  [
    'work after the commit by an event that is not taken apart',
    labelsSay((_, event: Event) => event.afterCommit((work) => work.db.post.create({}))),
    'guest never create Post',
    laterSays,
  ],
  [
    'work after the commit that stands elsewhere',
    labelsSay((_, { afterCommit }: Event) => afterCommit(elsewhere)),
    'guest never create Post',
    laterSays,
  ],
  [
    'work after the commit that is handed on',
    labelsSay((_, { afterCommit }: Event) => Object.values({ afterCommit })),
    'guest never create Post',
    laterSays,
  ],
  [
    'work after the commit that writes other rows',
    labelsSay((_, { afterCommit }: Event) => afterCommit(({ db }) => db.post.create({}))),
    'guest never update Post',
    null,
  ],
  [
    'work after the commit without a client',
    labelsSay((_, { afterCommit }: Event) => afterCommit(() => Object.keys({}))),
    'guest never create Post',
    null,
  ],
]

const coded: readonly CodedCase[] = [
  [
    'an action on the row',
    { policies: { Post: runs }, schemas: { Post: action('member', ({ db }: { db: Db }) => db.post.update({})) } },
    'guest never update Post',
    'run of Post is code, which may change Post',
  ],
  [
    'an action that only reads',
    { policies: { Post: runs }, schemas: { Post: action('member', ({ db }: { db: Db }) => db.post.count({})) } },
    'guest never update Post',
    null,
  ],
  [
    'an action that creates',
    { policies: { Post: runs }, schemas: { Post: action('collection', ({ db }: { db: Db }) => db.post.create({})) } },
    'guest never update Post',
    null,
  ],
  [
    'which may create',
    { policies: { Post: runs }, schemas: { Post: action('collection', ({ db }: { db: Db }) => db.post.create({})) } },
    'guest never create Post',
    'run of Post is code, which may create Post',
  ],
  [
    'an action of another type that hands the client on',
    { policies: { Label: runs }, schemas: { Label: action('member', ({ db }: { db: Db }) => Object.keys(db)) } },
    'guest never update Post',
    'run of Label is code, which may change Post',
  ],
  [
    'an action that nobody may run',
    { policies: {}, schemas: { Label: action('member', ({ db }: { db: Db }) => Object.keys(db)) } },
    'guest never update Post',
    null,
  ],
  [
    'a hook of another type',
    {
      policies: { Label: policy(({ can }) => can('create')) },
      serving: (phase: Serving) =>
        phase.saved('Label' as never, (async (_: unknown, { db }: { db: Db }) => db.post.updateMany({})) as never),
    },
    'guest never update Post',
    'saved hook of Label is code, which may change Post',
  ],
  ...(
    [
      ['that writes as the system', (_: never, { asSystem }: System) => asSystem().post.updateMany({}), 'change'],
      ['that writes others as the system', (_: never, { asSystem }: System) => asSystem().label.updateMany({}), null],
      ['that reads as the system', (_: never, { asSystem }: System) => asSystem().post.count({}), null],
      ['that hands the system on', (_: never, { asSystem }: System) => Object.keys(asSystem()), 'change'],
      ['that calls it by another name', (_: never, { asSystem: own }: System) => own().post.count({}), 'change'],
    ] as const
  ).map(
    ([name, hook, may]): CodedCase => [
      `a hook ${name}`,
      labelsSay(hook),
      'guest never update Post',
      may && `saved hook of Label is code, which may ${may} Post`,
    ],
  ),
  [
    'a hook that is handed the event as a whole',
    {
      policies: { Label: policy(({ can }) => can('create')) },
      serving: (phase: Serving) =>
        phase.saved('Label' as never, ((_: unknown, event: object) => Object.values(event)) as never),
    },
    'guest never delete Post',
    'saved hook of Label is code, which may delete Post',
  ],
  [
    'a hook that looks at the row alone',
    {
      policies: { Label: policy(({ can }) => can('create')) },
      serving: (phase: Serving) => phase.saved('Label' as never, ((row: object) => Object.values(row)) as never),
    },
    'guest never delete Post',
    null,
  ],
  ...later,
  [
    'a key that follows the column that it leads to',
    { policies: { User: policy(({ can }) => can('update')) } },
    'guest never update Page',
    'update of User, onUpdate of Page.owner: the database decides',
  ],
]

test.each(coded)('what only code can do is named: %s', async (_, parts, sentence, opaque) => {
  expect(await verdictOn(parts, sentence)).toEqual(
    opaque === null ? { holds: true } : { holds: null, opaque: [opaque] },
  )
})

test('an opt-out that opens something is told as a change, with the request that does it', async () => {
  const [before, after] = [
    proved({ policies: { User: ownUser } }),
    proved({ policies: { User: ownUser }, schemas: { User: open('posts') } }),
  ]
  const prover = new Prover(after)
  const there = await policyModel(before.servers, prover.personas, before.userType)
  const { changes } = await differences(prover, await prover.model(), there)
  await prover.close()
  expect(changes.map(({ row, who, ...change }) => change)).toEqual([
    { model: 'Post', action: 'update', was: 'denied', is: 'allowed', by: 'update of User, relation posts' },
  ])
})

test('who changes a row by an opt-out is counted, with the request that does it', async () => {
  const app = proved({
    policies: { User: ownUser, Post: own('update', (user) => ({ authorId: user.id })) },
    schemas: { User: open('posts') },
  })
  const prover = new Prover(app)
  const { reader, fill, close } = await app.openScratch()
  const row = { id: 1, title: 'A post', authorId: 2 }
  const users = [1, 2, 3].map((id) => ({ id, handle: `u${id}` }))
  const { Post } = app.resources.models
  await fill({
    root: row,
    model: Post as never,
    rows: new Map<string, never>([
      ['User', users as never],
      ['Post', [row] as never],
    ]),
    joined: [],
  })
  const entries = (await prover.model()).filter((entry) => entry.model === 'Post' && entry.action === 'update')
  const {
    guest,
    users: may,
    undecided,
    by,
  } = await whoMay({ app, personas: prover.personas, entries, row, reader, now: Date.now() })
  await close()
  await prover.close()
  expect({ guest, may, undecided, by }).toEqual({
    ...{ guest: false, may: ['1', '2', '3'], undecided: [] },
    by: [{ by: 'update of User, relation posts', guest: false, users: ['1', '3'] }],
  })
})
