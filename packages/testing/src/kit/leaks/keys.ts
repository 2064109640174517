import type { ModelMeta } from '@prismapi/jsonapi/model/meta'
import type { Row } from '@prismapi/jsonapi/model/where'

/** By the key: what is asked for is the same each time. */
export const orderOf = ({ key }: ModelMeta): readonly object[] => key.map((name) => ({ [name]: 'asc' }))

/** Tells the rows of a model apart. */
export const keyOf = ({ key }: ModelMeta, row: Row): string => key.map((name) => String(row[name])).join()
