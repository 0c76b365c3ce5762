import { en } from './en/index.js'
import { t } from './language.js'

type Code = keyof typeof en.refusal

const isKnown = (code: string): code is Code => Object.hasOwn(en.refusal, code)

/** Why a request failed, in the language of the page if that has words for it; otherwise as the server has put it. */
export const refusalText = (code: unknown, message: string): string =>
  typeof code === 'string' && isKnown(code) ? t(`refusal.${code}`, message) : message
