/** The reasons for which a user may report a message, with display names; the register answer contains them. */
export const reportTypes = [
  { key: 'spam', name: 'Spam' },
  { key: 'harassment', name: 'Harassment' },
  { key: 'inappropriate', name: 'Inappropriate content' },
  { key: 'norms', name: 'Violates community norms' },
  { key: 'other', name: 'Other reason' },
] as const

export type ReportType = (typeof reportTypes)[number]['key']

export const reportTypeKeys = reportTypes.map(({ key }) => key) as [ReportType, ...ReportType[]]
