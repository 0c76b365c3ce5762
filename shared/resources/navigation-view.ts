import { z } from 'zod'

/** The views that every client has. Users can configure these and create others. */
export const builtInFragments: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
  'scheduled',
])

export const navigationView = z.object({
  fragment: z.string().describe('The hash of its address, which identifies it.'),
  is_pinned: z.boolean().describe('Shown in the side bar; otherwise in the menu of more views.'),
  name: z.string().optional().describe('Of custom views only.'),
})

export type NavigationView = z.output<typeof navigationView>
