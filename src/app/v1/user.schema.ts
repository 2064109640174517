import { Schema } from 'prismapi'

export default class UserSchema extends Schema<'User'> {
  override readonly defaultSort = 'id'

  override fields() {
    return [this.attribute('password').virtual(), this.attribute('passwordConfirmation').virtual()]
  }
}
