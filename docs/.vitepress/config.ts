import { defineConfig } from 'vitepress'
import { read } from './api/entries.ts'
import { writeLlms } from './llms.ts'
import { withoutOutsideLinks } from './outside-links.ts'
import { editLinkOf, repositoryOf } from './repository.ts'
import { searched } from './search.ts'
import { sidebar } from './sidebar.ts'
import { withoutNestedButtons } from './sidebar-item.ts'

/** As where the pages are read without the site, so that a link to a heading leads to it in both. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

const editLink = editLinkOf(repositoryOf(JSON.parse(read('package.json'))))

const description =
  'Your Prisma schema is already an API: with permissions, an admin, OpenAPI and a typed client. JSON:API for TypeScript, Koa and Prisma.'

export default defineConfig({
  title: 'prismapi',
  description,
  lang: 'en',
  // `/queries.html` can be served from anywhere, without a server that knows of it.
  cleanUrls: false,
  markdown: {
    anchor: { slugify },
    config: withoutOutsideLinks,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  // The index of the search is that large, and loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2000 }, plugins: [withoutNestedButtons] },
  buildEnd: ({ outDir }) => writeLlms(outDir, description),
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Learn', link: '/inference' },
      { text: 'Recipes', link: '/cookbook/multi-tenancy' },
      { text: 'Reference', link: '/errors' },
      { text: 'Deploy', link: '/deployment' },
    ],
    sidebar,
    outline: [2, 3],
    ...(editLink && { editLink }),
    search: {
      provider: 'local',
      options: {
        _render: (source, env, md) => md.render(searched(source, env.relativePath), env),
      },
    },
  },
})
