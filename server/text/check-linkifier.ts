import { codePoints } from '../../shared/limits.js'
import type { Linkifier } from '../../shared/resources/linkifier.js'
import { budgets } from '../config/budgets.js'
import { isPrintable } from './content.js'
import { Pattern, PatternError } from './pattern.js'
import { parseReverseTemplate } from './reverse-template.js'
import { isSafeTemplate } from './rules/links.js'
import { parseUrlTemplate, type UrlTemplate } from './url-template.js'

export type LinkifierText = Omit<Linkifier, 'id'>
/** Messages by field name, or by `__all__`, in the order of the checks. */
export type LinkifierProblems = Record<string, string[]>

// Browsers accept no longer URLs; a longer pattern or example is a mistake.
export const mostLinkifierCharacters = 2048

/** The problems of a linkifier (docs/linkifiers.md); empty if it is valid. */
export function linkifierProblems(linkifier: LinkifierText): LinkifierProblems {
  const problems: LinkifierProblems = {}
  const complain = (field: string, sentence: string) => {
    problems[field] = [...(problems[field] ?? []), sentence]
  }
  if (linkifier.alternative_url_templates.length > budgets.alternativeTemplates.most) {
    complain(
      'alternative_url_templates',
      `There may be at most ${budgets.alternativeTemplates.most} alternative URL templates.`,
    )
    return problems
  }
  for (const [field, text] of textsOf(linkifier)) {
    const sentence = problemOfText(text)
    if (sentence) complain(field, sentence)
  }
  if (Object.keys(problems).length > 0) return problems

  const pattern = patternOf(linkifier.pattern, sentence => complain('pattern', sentence))
  const readTemplate = (field: string) => (text: string) => templateOf(text, sentence => complain(field, sentence))
  const template = readTemplate('url_template')(linkifier.url_template)
  const alternatives = linkifier.alternative_url_templates.map(readTemplate('alternative_url_templates'))
  if (!pattern || !template) return problems
  checkVariables(pattern, template, complain)
  for (const alternative of alternatives) if (alternative) checkAlternative(pattern, alternative, complain)
  checkExample(pattern, linkifier, complain)
  return problems
}

type Complain = (field: string, sentence: string) => void

function textsOf(linkifier: LinkifierText): [field: string, text: string][] {
  const { pattern, url_template, example_input, reverse_template, alternative_url_templates } = linkifier
  return [
    ['pattern', pattern],
    ['url_template', url_template],
    ...(example_input === null ? [] : [['example_input', example_input] as [string, string]]),
    ...(reverse_template === null ? [] : [['reverse_template', reverse_template] as [string, string]]),
    ...alternative_url_templates.map(text => ['alternative_url_templates', text] as [string, string]),
  ]
}

function problemOfText(text: string): string | undefined {
  if (text === '') return 'This field cannot be blank.'
  if (codePoints(text) > mostLinkifierCharacters)
    return `Ensure this value has at most ${mostLinkifierCharacters} characters.`
  return isPrintable(text.replace(/[\t\n\r]/g, '')) ? undefined : 'This field has characters that are not text.'
}

function patternOf(source: string, complain: (sentence: string) => void): Pattern | undefined {
  try {
    return new Pattern(source)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    complain(error.message)
    return undefined
  }
}

function templateOf(text: string, complain: (sentence: string) => void): UrlTemplate | undefined {
  const template = parseUrlTemplate(text)
  if (!template) complain('Invalid URL template.')
  else if (!isSafeTemplate(text))
    complain('URL template must begin with http://, https://, mailto:, /, # or a host name.')
  return template
}

function checkVariables({ groups }: Pattern, { variables }: UrlTemplate, complain: Complain): void {
  const unknown = variables.filter(name => !groups.includes(name)).sort()[0]
  const unused = groups.filter(name => !variables.includes(name)).sort()[0]
  if (unknown !== undefined)
    complain('__all__', `Group '${unknown}' in URL template is not present in linkifier pattern.`)
  else if (unused !== undefined) {
    complain('__all__', `Group '${unused}' in linkifier pattern is not present in URL template.`)
  }
}

/** An alternative URL may use only some of the pattern's groups. */
function checkAlternative({ groups }: Pattern, { variables }: UrlTemplate, complain: Complain): void {
  const unknown = variables.filter(name => !groups.includes(name)).sort()[0]
  if (unknown === undefined) return
  complain(
    'alternative_url_templates',
    `Group '${unknown}' in alternative URL template is not present in linkifier pattern.`,
  )
}

/** A client that parses the URL gets the same values, so the reverse template has to reproduce the example from them. */
function checkExample(pattern: Pattern, linkifier: LinkifierText, complain: Complain): void {
  const { example_input, reverse_template } = linkifier
  const values = example_input === null ? undefined : pattern.matchWhole(example_input)
  if (example_input !== null && !values) complain('example_input', 'Example input does not match the pattern.')
  if (reverse_template === null) return
  const reverse = parseReverseTemplate(reverse_template)
  if (typeof reverse === 'string') {
    complain('reverse_template', reverse)
    return
  }
  const unknown = reverse.variables.find(name => !pattern.groups.includes(name))
  if (unknown !== undefined) {
    complain('reverse_template', `Variable '${unknown}' in reverse template is not present in linkifier pattern.`)
  } else if (values && reverse.fill(values) !== example_input) {
    complain('reverse_template', 'Reverse template does not give the example input again.')
  }
}
