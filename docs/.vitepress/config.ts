import { defineConfig } from 'vitepress'
import { withoutOutsideLinks } from './outside-links.ts'
import { sidebar } from './sidebar.ts'

/** As where the pages are read without the site, so that a link to a heading leads to it in both. */
const slugify = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')

export default defineConfig({
  title: 'prismapi',
  description: 'A JSON:API server inferred from a Prisma schema: authorized, validated and paginated.',
  lang: 'en',
  // `/queries.html` can be served from anywhere, without a server that knows of it.
  cleanUrls: false,
  markdown: {
    anchor: { slugify },
    config: withoutOutsideLinks,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  // The index of the search is that large, and loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guide', link: '/authorization' },
      { text: 'Cookbook', link: '/cookbook/multi-tenancy' },
      { text: 'Reference', link: '/limits' },
      { text: 'API', link: '/api/prismapi' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
})
