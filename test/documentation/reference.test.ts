import { expect, test } from 'vitest'
import { entries } from '../../docs/.vitepress/api/entries.ts'
import { referenceOf } from '../../docs/.vitepress/api/reference.ts'
import { editLinkOf, repositoryOf, sourceLink } from '../../docs/.vitepress/repository.ts'

const sections = entries.flatMap((entry) =>
  referenceOf(entry)
    .split(/^## /m)
    .slice(1)
    .map((section) => ({ place: `${entry.name}: ${section.split('\n')[0]}`, section })),
)

test('every export of the reference has its docstring and its source', () => {
  expect(sections.length).toBeGreaterThan(400)
  const bare = sections.filter(
    ({ section }) => !/^\w+\n\n(?!```)\S/.test(section) || !/\nSource: .*`packages\//.test(section),
  )
  expect(bare.map(({ place }) => place)).toEqual([])
})

test('every function, class and value of the reference has its example', () => {
  const usable = sections.filter(({ section }) =>
    /^export (?:abstract |declare )*(?:class|const|function) /m.test(section),
  )
  expect(usable.length).toBeGreaterThan(100)
  expect(usable.filter(({ section }) => !section.includes('**Example**')).map(({ place }) => place)).toEqual([])
})

test('the repository that package.json names is where pages are edited and sources are read', () => {
  const repository = repositoryOf({ repository: { url: 'git+https://example.com/owner/name.git' } })
  expect(repository).toBe('https://example.com/owner/name')
  expect(editLinkOf(repository)).toEqual({
    pattern: 'https://example.com/owner/name/edit/main/docs/:path',
    text: 'Edit this page',
  })
  expect(sourceLink('packages/a/src/b.ts', 7, repository)).toBe(
    'Source: [`packages/a/src/b.ts:7`](https://example.com/owner/name/blob/main/packages/a/src/b.ts#L7)',
  )
})

test('without a repository, sources are named and not linked', () => {
  expect(editLinkOf(repositoryOf({}))).toBeUndefined()
  expect(sourceLink('packages/a/src/b.ts', 7, null)).toBe('Source: `packages/a/src/b.ts:7`')
})
