import { describe, expect, test } from 'vitest'
import type { AnyRules } from '../../src/auth/policy.ts'
import { wrap } from '../../src/database/wrap.ts'
import { abilitiesOf, abilityOf, countingReader, post, whereFor } from './fixture.ts'

const yes = { allowed: true }
const no = (message: string | null = null) => ({ allowed: false, message, status: null })

describe('rules over loaded columns are judged without a query', () => {
  test('what no rule names is denied', async () => {
    const ability = abilityOf(({ can }) => can('view'))
    expect(await ability.decide('update', post)).toEqual(no())
    expect(ability.names('update')).toBe(false)
    expect(whereFor(ability, 'update')).toEqual({ id: { in: [] } })
  })

  test('an unconditional rule holds for every row and for the type', async () => {
    const { reader, asked } = countingReader()
    const ability = abilityOf(({ can }) => can(['view', 'viewAny']), { reader })
    expect(await ability.decide('view', post)).toEqual(yes)
    expect(await ability.decide('viewAny', null)).toEqual(yes)
    expect(whereFor(ability, 'view')).toEqual({})
    expect(asked).toEqual([])
  })

  test('view implies neither viewAny nor the relations', async () => {
    const ability = abilityOf(({ can }) => can('view'))
    expect(await ability.decide('viewAny', null)).toEqual(no())
    expect(await ability.decide('viewTags', post)).toEqual(no())
  })

  test('one of several conditions is enough', async () => {
    const { reader, asked } = countingReader()
    const ability = abilityOf(
      ({ can }) => {
        can('update', { authorId: 8 })
        can('update', { isOpen: true })
      },
      { reader },
    )
    expect(await ability.decide('update', post)).toEqual(yes)
    expect(await ability.decide('update', { ...post, isOpen: false })).toEqual(no())
    expect(whereFor(ability, 'update')).toEqual({ OR: [{ isOpen: true }, { authorId: 8 }] })
    expect(asked).toEqual([])
  })

  test('rules are made for the user', async () => {
    const own = ({ can }: AnyRules, user: unknown) => user && can('update', { authorId: (user as { id: number }).id })
    const rules = (r: AnyRules, user: unknown) => void own(r, user)
    expect(await abilityOf(rules, { user: { id: 7 } }).decide('update', post)).toEqual(yes)
    expect(await abilityOf(rules, { user: { id: 8 } }).decide('update', post)).toEqual(no())
    expect(await abilityOf(rules).decide('update', post)).toEqual(no())
  })

  test('an unconditional can beside a conditional one leaves no empty branch', () => {
    const ability = abilityOf(({ can }) => {
      can('view', { authorId: 7 })
      can('view')
    })
    expect(whereFor(ability, 'view')).toEqual({})
  })

  test('a rule with the condition {} is an unconditional one', async () => {
    const ability = abilityOf(({ can }) => {
      can('create', {})
      can('view', { AND: [{}] })
    })
    expect(await ability.decide('create', null)).toEqual(yes)
    expect(whereFor(ability, 'view')).toEqual({})
  })

  test('an empty OR allows nothing, also beside other conditions', async () => {
    const ability = abilityOf(({ can }) => can('view', { authorId: 7, OR: [] }))
    expect(await ability.decide('view', post)).toEqual(no())
    expect(whereFor(ability, 'view')).toEqual({ id: { in: [] } })
  })
})

describe('cannot', () => {
  test('denies with its reason, and is part of the condition', async () => {
    const ability = abilityOf(({ can, cannot }) => {
      can('delete')
      cannot('delete', { isOpen: true }).because('Still open.')
    })
    expect(await ability.decide('delete', post)).toEqual(no('Still open.'))
    expect(await ability.decide('delete', { ...post, isOpen: false })).toEqual(yes)
    expect(whereFor(ability, 'delete')).toEqual({ NOT: { isOpen: true } })
  })

  test('the last rule wins: a can after it overrules it', async () => {
    const ability = abilityOf(({ can, cannot }) => {
      cannot('delete').because('Never.')
      can('delete', { authorId: 7 })
    })
    expect(await ability.decide('delete', post)).toEqual(yes)
    expect(await ability.decide('delete', { ...post, authorId: 8 })).toEqual(no('Never.'))
    expect(whereFor(ability, 'delete')).toEqual({ authorId: 7 })
  })

  test('of several, the last that holds gives the reason', async () => {
    const ability = abilityOf(({ can, cannot }) => {
      can('delete')
      cannot('delete', { views: { gt: 1 } }).because('Read already.')
      cannot('delete', { isOpen: true }).because('Still open.')
    })
    expect(await ability.decide('delete', post)).toEqual(no('Still open.'))
    expect(await ability.decide('delete', { ...post, isOpen: false })).toEqual(no('Read already.'))
  })

  test('without a can it denies, and says why', async () => {
    const ability = abilityOf(({ cannot }) => cannot('delete').because('Never.'))
    expect(await ability.decide('delete', post)).toEqual(no('Never.'))
    expect(whereFor(ability, 'delete')).toEqual({ id: { in: [] } })
  })

  test('forbids where a null leaves its condition undecided, as the query does', async () => {
    const ability = abilityOf(({ can, cannot }) => {
      can('delete')
      cannot('delete', { views: { gt: 100 } }).because('Too popular.')
    })
    expect(await ability.decide('delete', { ...post, views: null })).toEqual(no('Too popular.'))
    expect(await ability.decide('delete', post)).toEqual(yes)
  })

  test('a draft is not seen through "published before now"', async () => {
    const ability = abilityOf(({ can }) => can('view', { publishedAt: { lte: new Date() } }))
    expect(await ability.decide('view', { ...post, publishedAt: null })).toEqual(no())
    expect(await ability.decide('view', post)).toEqual(yes)
  })
})

describe('conditions that leave the row are asked of the database', () => {
  test('once, with the id and the whole ability', async () => {
    const { reader, asked } = countingReader(1)
    const ability = abilityOf(
      ({ can }) => {
        can('update', { authorId: 8 })
        can('update', { tags: { some: { name: 'free' } } })
      },
      { reader },
    )
    expect(await ability.decide('update', post)).toEqual(yes)
    expect(asked).toEqual([{ AND: [{ id: 1 }, { OR: [{ tags: { some: { name: 'free' } } }, { authorId: 8 }] }] }])
  })

  test('not when a rule over loaded columns settles it', async () => {
    const { reader, asked } = countingReader()
    const ability = abilityOf(
      ({ can }) => {
        can('update', { authorId: 7 })
        can('update', { tags: { some: {} } })
        can('delete', { tags: { some: {} } })
        can('delete', { authorId: 8 })
      },
      { reader },
    )
    expect(await ability.decide('update', post)).toEqual(yes)
    expect(asked).toEqual([])
    expect(await ability.decide('delete', post)).toEqual(no())
    expect(asked).toHaveLength(1)
  })

  test('a cannot over a relation that is not loaded is not overlooked', async () => {
    const { reader, asked } = countingReader(0, 0)
    const ability = abilityOf(
      ({ can, cannot }) => {
        can('delete')
        cannot('delete', { tags: { some: {} } }).because('It has tags.')
      },
      { reader },
    )
    expect(await ability.decide('delete', post)).toEqual(no('It has tags.'))
    expect(asked).toEqual([
      { AND: [{ id: 1 }, { NOT: { tags: { some: {} } } }] },
      { AND: [{ id: 1 }, { NOT: { tags: { some: {} } } }] },
    ])
  })

  test('the reason is that of the cannot that holds', async () => {
    const { reader, asked } = countingReader(0, 1, 0)
    const ability = abilityOf(
      ({ can, cannot }) => {
        can('delete')
        cannot('delete', { title: { contains: 'keep' } }).because('To be kept.')
        cannot('delete', { isOpen: false }).because('Closed.')
        cannot('delete', { tags: { some: {} } }).because('It has tags.')
      },
      { reader },
    )
    expect(await ability.decide('delete', post)).toEqual(no('To be kept.'))
    expect(asked.slice(1)).toEqual([
      { AND: [{ id: 1 }, { NOT: { tags: { some: {} } } }] },
      { AND: [{ id: 1 }, { NOT: { title: { contains: 'keep' } } }] },
    ])
  })

  test('a denial that has nothing to explain costs no second query', async () => {
    const { reader, asked } = countingReader(0)
    const ability = abilityOf(
      ({ can, cannot }) => {
        can('delete')
        cannot('delete', { tags: { some: {} } })
      },
      { reader },
    )
    expect(await ability.decide('delete', post)).toEqual(no())
    expect(asked).toHaveLength(1)
  })

  test('a failing database is no denial', async () => {
    const { reader } = countingReader()
    const broken = wrap(reader, () => Promise.reject(new Error('gone')))
    const ability = abilityOf(({ can }) => can('update', { tags: { some: {} } }), { reader: broken })
    await expect(ability.decide('update', post)).rejects.toThrow('gone')
  })
})

describe('groups', () => {
  const ability = abilityOf(({ can }) => {
    can('*reads')
    can(['*writes'], { authorId: 7 })
  })

  test.each(['viewAny', 'view', 'viewAuthor', 'viewTags'])('reads hold %s', (action) => {
    expect(whereFor(ability, action)).toEqual({})
  })

  test.each(['update', 'delete', 'updateAuthor', 'updateTags', 'attachTags', 'detachTags'])(
    'writes hold %s',
    (action) => {
      expect(whereFor(ability, action)).toEqual({ authorId: 7 })
    },
  )

  test('neither holds create, nor what to-one relations do not have', () => {
    for (const action of ['create', 'attachAuthor', 'detachAuthor', 'forceDelete'])
      expect(ability.names(action)).toBe(false)
  })

  test('row reads leave the collection out, so they may have a condition', () => {
    const narrow = abilityOf(({ can }) => can('*rowReads', { authorId: 7 }))
    expect(narrow.names('viewAny')).toBe(false)
    expect(whereFor(narrow, 'viewTags')).toEqual({ authorId: 7 })
  })
})

describe('a rule that cannot mean anything is an error that names the file', () => {
  test.each<[string, (rules: AnyRules) => unknown, string]>([
    [
      'a condition on create',
      ({ can }) => can('create', { authorId: 1 }),
      'the rule for create has a condition, but create has no row',
    ],
    ['a condition on viewAny', ({ can }) => can('*reads', { authorId: 1 }), 'the rule for viewAny has a condition'],
    [
      'a condition that went missing',
      ({ can }) => can('update', undefined),
      'a condition must be a Prisma where object',
    ],
    [
      'the id of nobody',
      ({ can }) => can('update', { authorId: undefined }),
      'authorId is undefined. Leave this can() out when there is nothing to compare with: what no rule allows is denied.',
    ],
    [
      'the id of nobody, denied',
      ({ cannot }) => cannot('update', { authorId: undefined }),
      'authorId is undefined. Write this cannot() without a condition: left out, it would deny nothing.',
    ],
    ['a misspelt column', ({ cannot }) => cannot('update', { autorId: 1 }), 'Did you mean "authorId"?'],
    ['a misspelt group', ({ can }) => can('*writers'), 'there is no group "*writers"'],
    ['rules that come too late', async ({ can }) => can('update'), 'it is async, so rules could come too late'],
    [
      'a throw',
      () => {
        throw new Error('boom')
      },
      'boom',
    ],
  ])('%s', (_what, abilities, message) => {
    const build = () => abilityOf(abilities as () => void)
    expect(build).toThrow(message)
    expect(build).toThrow('policies/post.policy.ts, abilities: ')
  })

  test('a rule declared after abilities() returned is refused', () => {
    let late: AnyRules['can'] | undefined
    const ability = abilityOf(({ can }) => {
      late = can
    })
    expect(() => late?.('delete')).toThrow('after abilities() had returned')
    expect(ability.names('delete')).toBe(false)
  })

  test('an async abilities() that fails ends nothing but its own request', async () => {
    const rejected: unknown[] = []
    const listen = (reason: unknown) => rejected.push(reason)
    process.on('unhandledRejection', listen)
    expect(() => abilityOf((async () => Promise.reject(new Error('later'))) as unknown as () => void)).toThrow('async')
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', listen)
    expect(rejected).toEqual([])
  })
})

describe('one request, one ability', () => {
  test('it is built at its first use, and once', () => {
    const seen: unknown[] = []
    const abilities = abilitiesOf({ Post: { abilities: (_rules, user) => void seen.push(user) } }, { user: { id: 7 } })
    expect(seen).toEqual([])
    expect(abilities('Post')).toBe(abilities('Post'))
    expect(seen).toEqual([{ id: 7 }])
  })

  test('two requests that interleave never see the rules of one another', async () => {
    const policies = {
      Post: {
        abilities: ({ can }: AnyRules, user: unknown) => can('update', { authorId: (user as { id: number }).id }),
      },
    }
    const requests = Array.from({ length: 200 }, (_, i) => i)
    const outcomes = await Promise.all(
      requests.map(async (i) => {
        const abilities = abilitiesOf(policies, { user: { id: i } })
        await new Promise((resolve) => setImmediate(resolve))
        const decision = await abilities('Post').decide('update', { ...post, authorId: 100 })
        return decision.allowed
      }),
    )
    expect(outcomes).toEqual(requests.map((i) => i === 100))
  })

  test('a model without a policy has an ability that allows nothing', async () => {
    const ability = abilitiesOf({})('Tag')
    expect(whereFor(ability, 'view')).toEqual({ id: { in: [] } })
    expect(await ability.decide('view', { id: 1 })).toEqual(no())
  })
})
