import type { ResourceSchema } from '@prismapi/jsonapi/schema/resource-schema'
import { type Part, parameterRef } from './described.ts'
import { figuresOf } from './figures.ts'
import { listParameter, type ParameterParts } from './parameter.ts'

/** The figures that can be asked for beside resources of the type. */
export const statsParameters = ({ type, statistics }: ResourceSchema): ParameterParts =>
  Object.fromEntries(
    (statistics ? figuresOf(statistics) : []).map(([name, functions]) => [
      nameOf(type, name),
      listParameter(`withStats[${name}]`, { type: 'string', enum: functions }, { description }),
    ]),
  )

export const statsRefs = ({ type, statistics }: ResourceSchema): readonly Part[] =>
  (statistics ? figuresOf(statistics) : []).map(([name]) => parameterRef(nameOf(type, name)))

/** The figure of resources is called `*`, which no component can be. */
const nameOf = (type: string, figure: string): string => `withStats.${type}.${figure === '*' ? '-all' : figure}`

const description = 'Figures of all that the query finds, whatever the page.'
