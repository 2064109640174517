export * from '@prismapi/sql/postgres'
