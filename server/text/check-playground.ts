import { badRequest } from '../../shared/errors.js'
import type { Playground } from '../../shared/resources/playground.js'
import { isPrintable } from './content.js'
import { parseUrlTemplate } from './url-template.js'

// The signs in names of languages: C#, C++, Objective-C, F*, TCP/IP.
const language = /^[ \w+\-.#*/]*$/

/**
 * Throws for a playground that is invalid, or that is there already. The texts are trimmed.
 * @throws {ApiError} BAD_REQUEST, with `errors` (field or `__all__` to sentences) but for a language with other characters
 */
export function checkPlayground(playground: Omit<Playground, 'id'>, others: readonly Playground[]): void {
  const { name, pygments_language, url_template } = playground
  for (const [field, text] of Object.entries({ name, pygments_language, url_template })) {
    if (text === '') refuse(field, 'This field cannot be blank.')
    if (!isPrintable(text)) refuse(field, 'This field has characters that are not text.')
  }
  if (!language.test(pygments_language)) throw badRequest('Invalid characters in pygments language')
  checkTemplate(url_template)
  const isLike = (one: Playground) => one.name === name && one.pygments_language === pygments_language
  if (others.some(isLike)) refuse('__all__', 'There is a playground with this name and language already.')
}

function checkTemplate(text: string): void {
  const template = parseUrlTemplate(text)
  if (!template) refuse('url_template', 'Invalid URL template.')
  // Clients open the address, so another scheme could run a script in the page.
  if (!/^https?:\/\/[^{]/i.test(text)) refuse('url_template', 'URL template must begin with http:// or https://.')
  const [variable, ...more] = template.variables
  if (variable !== 'code' || more.length > 0) refuse('__all__', "The only variable of the URL template must be 'code'.")
}

function refuse(field: string, sentence: string): never {
  throw badRequest(sentence, { errors: { [field]: [sentence] } })
}
