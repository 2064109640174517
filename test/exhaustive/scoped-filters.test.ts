import { filterUrls, groupUrls } from '@prismapi/testing/internal/kit/leaks/questions'
import { walk } from '@prismapi/testing/internal/kit/leaks/walk'
import { expect, test } from 'vitest'
import V1 from '../../src/app/v1/server.ts'
import { callers, useWorlds } from '../support/hidden-worlds.ts'

// A filter that a hidden row could meet, or break, answers as it does in a database without that row.

const worlds = useWorlds()
const unscoped = useWorlds({ twinServer: V1 })
const patience = 180_000
/** `LEAK_WALK=all` asks with every condition on every path: some 8000 filters, which take minutes. */
const thoroughness = process.env.LEAK_WALK === 'all' ? ([99, 99, 99] as const) : ([99, 1, 1 / 4] as const)

test(
  'every filter on a field, and every path across one or two relations, answers as if hidden rows were gone',
  async () => {
    const { leaks, statuses } = await walk(worlds.world, filterUrls(worlds.world, thoroughness), worlds.walker(1))
    expect({ leaks, statuses: [...statuses.keys()] }).toEqual({ leaks: [], statuses: [200] })
  },
  patience,
)

test.each(callers)(
  'groups of filters, or, and and not within each other, answer %s as if hidden rows were gone',
  async (_, userId) => {
    const { leaks, statuses } = await walk(worlds.world, groupUrls(worlds.world, 150, 3), worlds.walker(userId))
    expect(leaks).toEqual([])
    // Guests and members may list neither users nor much of the rest: what is refused proves nothing.
    expect(statuses.get(200)).toBeGreaterThan(90)
  },
  patience,
)

test(
  'filters answer as a server without scopes does that has the visible rows alone',
  async () => {
    const { world } = unscoped
    const urls = [...groupUrls(world, 150, 7), ...filterUrls(world, [4, 1, 1]).filter((_, i) => i % 4 === 0)]
    // By the id of a row that is gone, but cannot be done without, such a server still finds what names it.
    const comparable = urls.filter((url) => !/(author|user)(\.id)?\]/.test(url))
    const { leaks, statuses } = await walk(world, comparable, unscoped.walker(1))
    expect(leaks).toEqual([])
    expect(statuses.get(200)).toBeGreaterThan(500)
  },
  patience,
)
