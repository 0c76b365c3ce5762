import { z } from 'zod'

const section = z
  .string()
  .max(17)
  .regex(/^(pinned|direct|channels|folder:[1-9][0-9]{0,9})$/)

/** How a user has arranged the sidebar. Clients ignore folders and channels that are not there. */
export const sidebar = z.object({
  sections: z
    .array(section)
    .describe(
      'The order of the sections: `pinned` channels, `direct` messages, `channels` without a folder, and `folder:17`. One that is missing stands where clients put it.',
    ),
  collapsed: z.array(section).describe('Sections of which only the heading is shown.'),
  pinned_channels: z
    .array(z.int().min(0).max(2_147_483_647))
    .describe('Ids of pinned channels in their order. Those that are missing come after these, by name.'),
  unread_only: z.boolean().describe('Show only what has unread messages.'),
})

export type Sidebar = z.output<typeof sidebar>

/** Of an account that has changed nothing. */
export const plainSidebar: Sidebar = { sections: [], collapsed: [], pinned_channels: [], unread_only: false }
