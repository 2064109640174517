export * from '@prismapi/languages'
