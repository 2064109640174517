// What request classes are made of, beside the rules themselves, which `prismapi` exports.

export type { AttributeNames, MessageParts, Messages, MessageText } from '@prismapi/core/validation/failures/messages'
export type { ClassFiles } from '@prismapi/core/validation/request/check-request-classes'
export type { RequestBase, Validator, Values } from '@prismapi/core/validation/request/request-base'
export type {
  CollectionQueryClass,
  QueryClass,
  QueryRules,
  RequestClass,
  RequestClasses,
} from '@prismapi/core/validation/request/resource-query'
export type { ValidationData } from '@prismapi/core/validation/rules/rule-set'
export type { ToManyRule, ToOneRule } from '@prismapi/core/validation/rules/rules'
export { Message } from '@prismapi/jsonapi/document/text'
