import { Schema } from 'prismapi'

export default class ProfileSchema extends Schema<'Profile'> {
  override pagination() {
    return null
  }
}
