type Form = (count: string) => string

/** A text for each plural of the language; each gets the number as the language writes it. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, Form>> & { other: Form }>

/** Chooses the text for a number, by the plurals of a language (`Intl.PluralRules`). */
export function counterOf(language: string): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (count, forms) => (forms[rules.select(count)] ?? forms.other)(numbers.format(count))
}
