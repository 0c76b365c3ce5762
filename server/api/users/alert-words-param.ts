import { z } from 'zod'
import { codePoints, limits } from '../../../shared/limits.js'
import { budgets } from '../../config/budgets.js'
import { json, list } from '../../params/schemas.js'
import { wellFormed } from '../../text/content.js'

const most = limits.alert_word_length

const word = z
  .string()
  .transform(value => wellFormed(value.trim()))
  .refine(value => codePoints(value) <= most, `Too long: at most ${most} characters.`)
  .refine(value => !value.includes('\0'), 'Must not contain null bytes.')
  .meta({ maxLength: most })

export const alertWordsParam = json(list(word, budgets.alertWords.most).transform(words => words.filter(Boolean)))

export const alertWordsAnswer = z.object({ alert_words: z.array(z.string()).describe('All of your alert words.') })
