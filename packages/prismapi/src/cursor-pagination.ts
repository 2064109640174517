export * from '@prismapi/jsonapi/pagination/cursor-pagination'
