export * from '@prismapi/testing/kit'
