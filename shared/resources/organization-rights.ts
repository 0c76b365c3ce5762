/** Settings of the organization that only owners change: who comes in, how long messages are kept, how much files take, who manages groups and payments. */
const forOwners: ReadonlySet<string> = new Set([
  'authentication_methods',
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
  'disallow_disposable_email_addresses',
  'emails_restricted_to_domains',
  'invite_required',
  'message_retention_days',
  'upload_quota_mib',
  'waiting_period_threshold',
])

/** Whether only owners change this setting or permission of the organization; administrators change all others. */
export const isForOwners = (name: string): boolean => forOwners.has(name)
