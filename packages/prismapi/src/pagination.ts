// Paginators, and what one of your own is made of.

export type { OrderTerm } from '@prismapi/jsonapi/condition/order-term'
export * from '@prismapi/jsonapi/pagination/cursor-pagination'
export { MultiPagination } from '@prismapi/jsonapi/pagination/multi-pagination'
export type { Ordered, OrderedList } from '@prismapi/jsonapi/pagination/ordered-list'
export { Pagination } from '@prismapi/jsonapi/pagination/pagination'
export type {
  AskedRows,
  IncludedPage,
  Page,
  PageLimits,
  PageParams,
  PageRequest,
  PageSource,
  Paginator,
  Slice,
} from '@prismapi/jsonapi/pagination/paginator'
