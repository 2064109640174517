export * from '@prismapi/testing'
