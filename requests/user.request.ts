import { enumOf, ResourceRequest, requiredWith, same, string, unique } from 'prismapi'

const everybody = {
  name: string().required(),
  email: string().required().email().test(unique()),
  password: string().min(12),
  passwordConfirmation: string().test(requiredWith('password')).test(same('password')),
}
const administrators = { ...everybody, role: enumOf(['MEMBER', 'EDITOR', 'ADMIN']) }
const requiredPassword = everybody.password.required()

export default class UserRequest extends ResourceRequest<'User', 'password' | 'passwordConfirmation'> {
  override rules() {
    const rules = this.user?.role === 'ADMIN' ? administrators : everybody
    // On update a password is validated when it is sent: nobody knows the current one.
    return this.checked(this.isCreating() ? { ...rules, password: requiredPassword } : rules)
  }
}
