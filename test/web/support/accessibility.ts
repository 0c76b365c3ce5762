import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export type Themes = 'light' | 'light and dark'

/**
 * What axe-core finds wrong with what a page shows, or with its open dialogs: the rule and the element. In dark colours it looks at contrast
 * alone.
 */
export async function violationsOf(page: Page, themes: Themes): Promise<string[]> {
  if (!(await page.evaluate('!!window.axe'))) await page.evaluate(axe)
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await run(page, {})
  if (themes === 'light') return light
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await run(page, { runOnly: { type: 'rule', values: ['color-contrast'] } })
  return [...light, ...dark.map(violation => `dark: ${violation}`)]
}

async function run(page: Page, options: RunOptions): Promise<string[]> {
  const given = JSON.stringify({ resultTypes: ['violations'], ...options } satisfies RunOptions)
  const { violations } = (await page.evaluate(
    `axe.run(document.querySelector('dialog[open]') ? document.querySelectorAll('dialog[open]') : document, ${given})`,
  )) as AxeResults
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.html.slice(0, 200)} ${node.any[0]?.message ?? node.all[0]?.message ?? ''}`),
  )
}
