import type { SchemaClass } from '@prismapi/jsonapi/schema/schema'
import { Schema } from 'prismapi'

class CommentSchema extends Schema {
  override fields() {
    return [this.morphTo('commentable', ['post', 'video', 'page'])]
  }
}

class ImageSchema extends Schema {
  override fields() {
    const models = { post: 'Post', video: 'Video', page: 'Page', ledger: 'Ledger' }
    return [this.morphTo('imageable', { type: 'imageableType', id: 'imageableId', models })]
  }
}

class MarkSchema extends Schema {
  override fields() {
    return [this.morphTo('owner', { type: 'owner_type', id: 'owner_id', models: { Post: 'Post', Video: 'Video' } })]
  }
}

/** What of a fixture inference cannot know: that two columns, or several relations, are one. */
export const schemaClasses: Readonly<Record<string, Readonly<Record<string, SchemaClass>>>> = {
  morphs: { Comment: CommentSchema, Image: ImageSchema, Mark: MarkSchema } as unknown as Record<string, SchemaClass>,
}
