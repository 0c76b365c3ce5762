import { z } from 'zod'
import { sidebar } from '../../../shared/resources/sidebar.js'
import { changeSidebar } from '../../actions/users/change-sidebar.js'
import { budgets } from '../../config/budgets.js'
import { boolean, idList, json, list } from '../../params/schemas.js'
import { anyHuman } from '../../policies/allow.js'
import { route } from '../route.js'

const { sections, collapsed, pinned_channels, unread_only } = sidebar.shape
const sectionList = () => json(list(sections.element, budgets.sidebarSections.most))

export const updateSidebar = route({
  operation: 'update_sidebar',
  method: 'PATCH',
  path: '/users/me/sidebar',
  doc: 'Arranges your sidebar for all your clients. What is absent stays. It is a part of this server alone.',
  allow: anyHuman,
  params: z.object({
    sections: sectionList()
      .optional()
      .describe(sections.description ?? ''),
    collapsed: sectionList()
      .optional()
      .describe(collapsed.description ?? ''),
    pinned_channels: json(idList(budgets.orderedPins.most))
      .optional()
      .describe(pinned_channels.description ?? ''),
    unread_only: boolean()
      .optional()
      .describe(unread_only.description ?? ''),
  }),
  returns: z.object({}),
  errors: ['BAD_REQUEST'],
  async handle({ ctx, actor, params }) {
    await changeSidebar(ctx, actor, params)
    return {}
  },
})
