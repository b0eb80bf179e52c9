import { Server } from 'lucide-react';

import type { Fleet, FleetLink, FleetReplica, LinkHealth } from '#shared/api/fleet-replica.ts';

import { formatRoute } from '../../ui/route-model.ts';
import type { Route } from '../../ui/route-model.ts';
import { useNavigation } from '../../ui/router.tsx';
import { STATE_LOOK } from '../../ui/state-look.ts';
import { useElementWidth } from '../../ui/use-element-width.ts';
import { counted, number } from '../../ui/words-model.ts';
import { LINK_LOOK, MapLegend } from './map-legend.tsx';
import { NODE_HEIGHT_PX, NODE_WIDTH_PX, mapLayout } from './fleet-map-model.ts';
import type { MapEdge, MapNode } from './fleet-map-model.ts';

interface FleetMapProps {
  readonly fleet: Fleet;
  /** The replicas that the filter leaves. */
  readonly shown: readonly FleetReplica[];
  readonly selectedRef: string | null;
  readonly route: Extract<Route, { readonly screen: 'fleet' }>;
}

/** Beyond this many nodes a map says nothing; the filter chooses then. */
const MAPPED_MAX = 120;

/** Replicas and links, with their health as colour, stroke and icon. The table above tells the same in words. */
export function FleetMap({ fleet, shown, selectedRef, route }: FleetMapProps) {
  const [host, widthPx] = useElementWidth(860);
  if (fleet.links.length === 0) return null;
  const mapped = shown.slice(0, MAPPED_MAX);
  const peers = fleet.links.filter((link) => link.b === null);
  const layout = mapLayout({
    ids: [...mapped.map((replica) => replica.ref), ...peers.map(peerNodeId)],
    links: fleet.links.map((link) => ({ id: link.id, a: link.a, b: link.b ?? peerNodeId(link) })),
    widthPx,
  });
  return (
    <section className="map" aria-label="Map of replicas and links">
      <div className="bar map-bar">
        <h2>Map</h2>
        <span className="dim">{mapWords(fleet, { mapped: mapped.length, shown: shown.length })}</span>
        <span className="grow" />
        <MapLegend healths={fleet.links.map((link) => link.health)} />
      </div>
      <div className="map-scroll" ref={host}>
        <svg width={widthPx} height={layout.heightPx} viewBox={`0 0 ${widthPx} ${layout.heightPx}`}>
          {layout.edges.map((edge) => (
            <EdgeMark key={edge.id} edge={edge} link={fleet.links.find((link) => link.id === edge.id)} />
          ))}
          {layout.nodes.map((node) => (
            <PeerMark
              key={`peer ${node.id}`}
              node={node}
              link={peers.find((link) => peerNodeId(link) === node.id)}
            />
          ))}
          {layout.nodes.map((node) => (
            <NodeMark
              key={node.id}
              node={node}
              replica={mapped.find((replica) => replica.ref === node.id)}
              isSelected={node.id === selectedRef}
              route={route}
            />
          ))}
        </svg>
      </div>
    </section>
  );
}

function mapWords(fleet: Fleet, counts: { readonly mapped: number; readonly shown: number }): string {
  const healthy = fleet.links.filter((link) => link.health === 'healthy').length;
  const words = `${counted(fleet.links.length, 'link')}, ${healthy} healthy; the number is the lag in changes`;
  return counts.mapped < counts.shown
    ? `${words}. ${counts.mapped} of ${counts.shown} replicas; the filter chooses.`
    : words;
}

function EdgeMark({ edge, link }: { readonly edge: MapEdge; readonly link: FleetLink | undefined }) {
  if (link === undefined) return null;
  const { stroke, width, dash, state } = LINK_LOOK[link.health];
  const Icon = state === null ? null : STATE_LOOK[state].icon;
  return (
    <g role="img" aria-label={edgeSentence(link)}>
      <path d={edge.path} fill="none" stroke={stroke} strokeWidth={width} strokeDasharray={dash} />
      {Icon !== null && (
        <g transform={`translate(${edge.middle.x} ${edge.middle.y})`} color={stroke}>
          <circle r="10" fill="var(--surface)" />
          <Icon x={-7} y={-7} size={14} aria-hidden />
        </g>
      )}
    </g>
  );
}

const HEALTH_WORDS: Readonly<Record<LinkHealth, string>> = {
  healthy: 'healthy',
  behind: 'behind',
  blocked: 'blocked',
  paused: 'paused',
  tooOld: 'too old',
  unreachable: 'no answer',
};

function edgeSentence(link: FleetLink): string {
  return `Link to ${link.bName}: ${HEALTH_WORDS[link.health]}`;
}

function NodeMark(props: {
  readonly node: MapNode;
  readonly replica: FleetReplica | undefined;
  readonly isSelected: boolean;
  readonly route: FleetMapProps['route'];
}) {
  const { node, replica, isSelected, route } = props;
  const { amend } = useNavigation();
  if (replica === undefined) return null;
  const { icon: Icon, className, word } = STATE_LOOK[replica.state];
  const to: Route = { ...route, selected: replica.ref };
  const lag = replica.lag.changes;
  const isQuiet = replica.state === 'inSync';
  return (
    <a
      href={formatRoute(to)}
      className={`map-node ${className}`}
      data-quiet={isQuiet || undefined}
      data-dashed={replica.state === 'unreachable' || undefined}
      data-selected={isSelected || undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        amend(to);
      }}
    >
      <title>{`${replica.name}: ${word}${lag > 0 ? `, ${counted(lag, 'change')} behind` : ''}`}</title>
      <g transform={`translate(${node.x - NODE_WIDTH_PX / 2} ${node.y - NODE_HEIGHT_PX / 2})`}>
        <rect width={NODE_WIDTH_PX} height={NODE_HEIGHT_PX} rx="6" />
        <Icon className="map-icon" x={8} y={6} size={14} aria-hidden />
        <text x="28" y="17.500" fontSize="12" fontWeight="500">
          {shortName(replica.name)}
        </text>
        {lag > 0 && (
          <text className="map-lag" x={NODE_WIDTH_PX - 9} y="17" textAnchor="end">
            {number(lag)}
          </text>
        )}
      </g>
    </a>
  );
}

/** A peer that this fleet reaches for sync only has no replica here; it is named after its link. */
const peerNodeId = (link: FleetLink): string => `peer of ${link.id}`;

function PeerMark({ node, link }: { readonly node: MapNode; readonly link: FleetLink | undefined }) {
  if (link === undefined) return null;
  return (
    <g
      className="map-peer"
      role="img"
      aria-label={`${link.bName}, a peer on another host`}
      transform={`translate(${node.x - NODE_WIDTH_PX / 2} ${node.y - NODE_HEIGHT_PX / 2})`}
    >
      <rect width={NODE_WIDTH_PX} height={NODE_HEIGHT_PX} rx="6" />
      <Server className="map-icon" x={8} y={6} size={14} aria-hidden />
      <text x="28" y="17.500" fontSize="12">
        {shortName(link.bName)}
      </text>
    </g>
  );
}

const NAME_MAX = 12;

const shortName = (name: string): string =>
  name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name;
