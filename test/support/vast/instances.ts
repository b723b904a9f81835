import type { Endpoint } from "../../../src/targets/vast/find-endpoint.ts";
import type { Bill } from "./ledger.ts";
import { findStep, type Life } from "./lives.ts";
import { type DoubleOffer, makeOfferRow } from "./offers.ts";
import type { Json } from "./replies.ts";

/** An instance that the double keeps; times are milliseconds of its clock. */
export interface DoubleInstance {
  readonly id: number;
  /** Of whom it was rented; a made-up one for an instance that was always there. */
  readonly offer: DoubleOffer;
  readonly isRented: boolean;
  label: string | null;
  readonly image: string;
  readonly diskGb: number;
  readonly env: Json;
  readonly onstart: string | null;
  /** `CONTAINER_API_KEY`: it may stop and start this instance, and no more. */
  readonly containerKey: string;
  readonly createdMs: number;
  startedMs: number;
  readonly dollarsPerHour: number;
  readonly storageDollarsPerHour: number;
  readonly life: Life;
  intended: "running" | "stopped";
  /** Where its sshd is to be found while it runs. */
  direct: Endpoint | null;
  proxy: Endpoint;
  /** From when on it is gone; null: nobody has asked for that. */
  goneMs: number | null;
  readonly bill: Bill;
}

/** As the vendor writes it now. */
export function makeInstanceRow(instance: DoubleInstance, nowMs: number): Json {
  const { offer, direct, proxy } = instance;
  const isStopped = instance.intended === "stopped";
  const step = findStep(instance.life, (nowMs - instance.startedMs) / 1000);
  const status = isStopped ? "stopped" : step.status;
  const isMapped = status === "running" && direct !== null;
  const { id: _, duration, ...machine } = makeOfferRow(offer, instance.diskGb);
  return {
    ...machine,
    id: instance.id,
    label: instance.label,
    actual_status: status,
    intended_status: instance.intended,
    cur_state: instance.intended,
    next_state: instance.intended,
    status_msg: isStopped ? "" : (step.message ?? ""),
    dph_total: instance.dollarsPerHour,
    storage_total_cost: instance.storageDollarsPerHour,
    disk_space: instance.diskGb,
    image_uuid: instance.image,
    image_args: [],
    image_runtype: "ssh_direc ssh_proxy",
    extra_env: Object.entries(instance.env),
    onstart: instance.onstart,
    ssh_host: proxy.host,
    ssh_port: proxy.port,
    ssh_idx: "9",
    public_ipaddr: direct?.host ?? null,
    ports: isMapped ? { "22/tcp": [{ HostIp: "0.0.0.0", HostPort: String(direct.port) }] } : {},
    start_date: instance.createdMs / 1000,
    end_date: instance.createdMs / 1000 + Number(duration),
    uptime_mins: status === "running" ? (nowMs - instance.startedMs) / 60_000 : null,
    gpu_util: status === "running" ? 0 : null,
    is_bid: false,
    duration: (nowMs - instance.createdMs) / 1000,
  };
}
