export * from '@prismapi/sql/sqlite'
