import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { useApi, users } from '../support/api.ts'
import { executable, useBrowser } from './chromium.ts'

// The moving picture of the home page and the README: from a schema to a "no" with its rule. `npm run pictures` keeps it.

const api = useApi({ baseUrl: 'http://127.0.0.1' })
const root = path.resolve(import.meta.dirname, '../..')
const size = { width: 960, height: 600 }
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

interface Scene {
  readonly caption: string
  readonly seconds: number
  readonly show: () => Promise<Page>
}

describe.skipIf(!executable)('the moving picture', () => {
  const browser = useBrowser(api)

  /** A text as an editor or a terminal shows it. */
  const written = async (title: string, text: string): Promise<Page> => {
    const page = await browser.open({ viewport: size })
    await page.setContent(`<style>
      body { margin: 0; background: #0d1117; color: #e6edf3; font: 19px/1.55 ui-monospace, 'DejaVu Sans Mono', monospace }
      h1 { margin: 0; padding: 10px 24px; background: #161b22; color: #9198a1; font: 15px/1.5 system-ui, sans-serif }
      pre { margin: 20px 24px; font: inherit; white-space: pre-wrap }
    </style><h1>${escaped(title)}</h1><pre>${escaped(text)}</pre>`)
    return page
  }
  const seen = async (url: string, user: number, words: string): Promise<Page> => {
    const page = await browser.at(url, user, { viewport: size, locale: 'en-GB', timezoneId: 'UTC' })
    await page.getByText(words).first().waitFor()
    return page
  }
  /** The first code block of a page that begins so. */
  const block = (file: string, begin: string): string => {
    const [, code] = read(file).split(`\`\`\`${begin}\n`)
    expect(code, begin).toBeDefined()
    return code?.split('```')[0] as string
  }

  const scenes: readonly Scene[] = [
    {
      caption: 'You have a schema.',
      seconds: 2,
      show: () => written('prisma/schema.prisma', block('docs/index.md', 'prisma [prisma/schema.prisma]')),
    },
    {
      caption: 'You say who may do what.',
      seconds: 3,
      show: () => written('policies/post.policy.ts', block('docs/index.md', 'ts [policies/post.policy.ts]')),
    },
    {
      caption: 'You add the API.',
      seconds: 2,
      show: () => written('Terminal', block('README.md', 'sh').trim().replace(/^/gm, '$ ')),
    },
    { caption: 'You have an admin.', seconds: 3, show: () => seen('/posts', users.editor, 'Post 60') },
    {
      caption: 'Each record has its page.',
      seconds: 3,
      show: () => seen('/posts/1', users.editor, 'It takes its time'),
    },
    {
      caption: 'Each no has its rule.',
      seconds: 3,
      show: async () => {
        const page = await seen('/posts/1', users.member3, 'It takes its time')
        await page.getByRole('link', { name: 'Permissions' }).click()
        const rule = page.locator('details', { hasText: 'policies/post.policy.ts' }).last()
        await rule.locator('summary').click()
        await rule.getByText('policies/post.policy.ts').waitFor()
        return page
      },
    },
    {
      caption: 'And so has each 403 of the API.',
      seconds: 4,
      show: async () => {
        const { status, body } = await (await api.as(users.member3)).request('DELETE', '/posts/1', {
          headers: { Prefer: 'explain' },
        })
        const [{ title, detail, meta }] = body.errors
        expect(status).toBe(403)
        const error = JSON.stringify({ status: '403', title, detail, meta }, null, 2)
        return written('Terminal', `$ curl -X DELETE -H 'Prefer: explain' …/posts/1\n\n${error}`)
      },
    },
  ]

  test('goes from a schema to the rule behind a 403, in twenty seconds', async () => {
    const encoder = await browser.open()
    const images: string[] = []
    for (const { show } of scenes) {
      const page = await show()
      await page.evaluate('document.activeElement.blur()')
      const png = (await page.screenshot({ animations: 'disabled' })).toString('base64')
      images.push(await encoder.evaluate(toWebp(png)))
      await page.context().close()
    }
    const svg = movingPicture(scenes, images)
    // The first page of the documentation shows it, and has 300 kB in all.
    expect(svg.length).toBeLessThan(200_000)
    const page = await browser.open({ viewport: { width: size.width, height: size.height + barHeight } })
    await page.setContent(svg)
    await page.getByText(scenes[0]?.caption as string).waitFor()
    if (process.env.PICTURES) writeFileSync(path.join(root, 'docs/images/moving.svg'), svg)
  })
})

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** What encodes a PNG as WebP in the browser, with a third of its size. */
const toWebp = (png: string): string => `(async () => {
  const image = new Image()
  image.src = 'data:image/png;base64,${png}'
  await image.decode()
  const canvas = new OffscreenCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.7 })
  return btoa(Array.from(new Uint8Array(await blob.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(''))
})()`

const barHeight = 48

/** One SVG that shows the scenes by turns. A reader who wants no motion sees the last one. */
function movingPicture(scenes: readonly Pick<Scene, 'caption' | 'seconds'>[], images: readonly string[]): string {
  const { width, height } = size
  const all = scenes.reduce((sum, { seconds }) => sum + seconds, 0)
  let begun = 0
  const rules = scenes.map(({ seconds }, i) => {
    const [from, to] = [begun, begun + seconds].map((at) => ((100 * at) / all).toFixed(2))
    begun += seconds
    return `@keyframes s${i}{0%,${from}%{opacity:0}${from}1%,${to}%{opacity:1}${to}1%,100%{opacity:0}}#s${i}{animation:s${i} ${all}s step-end infinite}`
  })
  const groups = scenes.map(
    ({ caption }, i) => `<g id="s${i}" opacity="${i === scenes.length - 1 ? 1 : 0}">
<image width="${width}" height="${height}" href="data:image/webp;base64,${images[i]}"/>
<rect y="${height}" width="${width}" height="${barHeight}" fill="#24292f"/>
<text x="${width / 2}" y="${height + 31}" fill="#fff" font-family="system-ui, sans-serif" font-size="20" text-anchor="middle">${caption}</text></g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + barHeight}" role="img">
<title>From a schema to the rule behind a 403</title>
<style>@media (prefers-reduced-motion:no-preference){${rules.join('')}}</style>
${groups.join('\n')}
</svg>
`
}
