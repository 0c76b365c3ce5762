import { z } from 'zod'
import { commitLink } from '../git-texts.js'
import { type Says, says } from '../says.js'
import { common, repository, sender } from './payload.js'

const release = common.extend({
  release: z.object({ name: z.string().nullish(), tag_name: z.string(), html_url: z.string() }),
})
const fork = common.extend({ forkee: repository })
const checkRun = common.extend({
  check_run: z.object({
    name: z.string(),
    html_url: z.string(),
    head_sha: z.string(),
    conclusion: z.string().nullish(),
  }),
})
const deployment = common.extend({ deployment: z.object({ environment: z.string() }) })
const deploymentStatus = deployment.extend({ deployment_status: z.object({ state: z.string() }) })
const member = common.extend({ member: sender })
const ping = z.object({
  sender,
  repository: repository.optional(),
  organization: z.object({ login: z.string() }).optional(),
})

const linkTo = ({ full_name, html_url }: z.output<typeof repository>): string => `[${full_name}](${html_url})`

/** By the header of the event. */
export const others: Readonly<Record<string, Says>> = {
  ping: says(ping, ({ sender, repository, organization }) => ({
    topic: repository?.name ?? `${organization?.login ?? ''} organization`,
    content: `${sender.login} has set up the messages of GitHub.`,
    event: 'ping',
  })),
  release: says(release, ({ action, sender, repository, release: { name, tag_name, html_url } }) => ({
    topic: repository.name,
    content: `${sender.login} ${action} release [${name || tag_name}](${html_url}) for tag ${tag_name}.`,
    event: 'release',
  })),
  fork: says(fork, ({ sender, repository, forkee }) => ({
    topic: repository.name,
    content: `${sender.login} forked ${linkTo(forkee)}.`,
    event: 'fork',
  })),
  star: says(common, ({ action, sender, repository }) => ({
    topic: repository.name,
    content: `${sender.login} ${action === 'deleted' ? 'unstarred' : 'starred'} ${linkTo(repository)}.`,
    event: 'star',
  })),
  watch: says(common, ({ sender, repository }) => ({
    topic: repository.name,
    content: `${sender.login} watches ${linkTo(repository)}.`,
    event: 'watch',
  })),
  member: says(member, ({ action, sender, repository, member }) => ({
    topic: repository.name,
    content: `${sender.login} ${action} ${member.login} as a collaborator of ${linkTo(repository)}.`,
    event: 'member',
  })),
  public: says(common, ({ sender, repository }) => ({
    topic: repository.name,
    content: `${sender.login} made ${linkTo(repository)} public.`,
    event: 'public',
  })),
  check_run: says(checkRun, ({ action, repository, check_run: { name, html_url, head_sha, conclusion } }) =>
    action === 'completed'
      ? {
          topic: `${repository.name} / checks`,
          content: `Check [${name}](${html_url}): ${conclusion ?? 'completed'} (${commitLink(head_sha, `${repository.html_url}/commit/${head_sha}`)}).`,
          event: 'check_run',
        }
      : undefined,
  ),
  deployment: says(deployment, ({ sender, repository, deployment: { environment } }) => ({
    topic: `${repository.name} / Deployment on ${environment}`,
    content: `${sender.login} created a deployment.`,
    event: 'deployment',
  })),
  deployment_status: says(deploymentStatus, ({ repository, deployment, deployment_status: { state } }) => ({
    topic: `${repository.name} / Deployment on ${deployment.environment}`,
    content: `The deployment is now: ${state}.`,
    event: 'deployment_status',
  })),
}
