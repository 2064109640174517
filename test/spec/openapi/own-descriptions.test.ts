import { Schema } from 'prismapi'
import { expect, test } from 'vitest'
import { openServer } from '../../support/open-server.ts'
import { inPlace } from '../../support/openapi-in-place.ts'
import { addTag } from '../../support/rows.ts'
import { useServers } from '../../support/servers.ts'

// What a schema class says of its own filters and actions is read by people: in OpenAPI documents and on pages.

class Tags extends Schema<'Tag'> {
  override filters() {
    return [
      this.filter('popular', {
        kind: 'boolean',
        description: 'Whether at least one post has the tag.',
        where: (isPopular) => ({ posts: isPopular ? { some: {} } : { none: {} } }),
      }),
      this.filter('letter', { where: (letter) => ({ name: { startsWith: letter } }) }),
    ]
  }
  override actions() {
    return [
      this.action('shout', {
        description: 'Writes `name` in capital letters.',
        handle: ({ row, save }) => save('Tag', row, { name: row.name.toUpperCase() }),
      }),
      this.action('touch', { handle: ({ row }) => row }),
    ]
  }
}
const servers = useServers(() => ({
  policies: new Map(),
  production: false,
  servers: [openServer('own', { Tag: Tags })],
}))

test('an OpenAPI document has it', async () => {
  const { paths } = inPlace((await servers.as(null)('GET', '/api/own/openapi.json')).body, 'parameters')
  const saidOf = (filter: string) =>
    paths['/api/own/tags'].get.parameters.find(({ name }: { name: string }) => name === `filter[${filter}]`).description
  expect({
    popular: saidOf('popular'),
    letter: saidOf('letter'),
    shout: paths['/api/own/tags/{id}/-actions/shout'].post.description,
    touch: paths['/api/own/tags/{id}/-actions/touch'].post.description,
  }).toEqual({
    popular: "`popular` is this API's own filter, and takes one value. Whether at least one post has the tag.",
    letter: "`letter` is this API's own filter, and takes one text.",
    shout: 'Writes `name` in capital letters.',
    touch: undefined,
  })
})

test('the form of an action has it', async () => {
  const { id } = await addTag(servers.db, 'quiet')
  const page = await fetch(`${servers.at}/api/own/tags/${id}`, { headers: { Accept: 'text/html' } })
  const text = await page.text()
  expect(text).toContain('<summary>Shout</summary>\n<p>Writes <code>name</code> in capital letters.</p><form ')
  expect(text).toContain('<summary>Touch</summary>\n<form ')
})
