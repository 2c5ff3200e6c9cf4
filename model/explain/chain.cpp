#include "model/explain/chain.h"

#include <algorithm>

namespace ambit::explain {
namespace {

bool is_program_order(const Link& link) { return link.base == BaseRelation::ProgramOrder && !link.is_reversed; }

void append_flat(const Chain& chain, Chain& flat) {
  for (const Link& link : chain) {
    if (link.kind == Link::Kind::Named) {
      append_flat(link.parts, flat);
    } else if (!flat.empty() && is_program_order(flat.back()) && is_program_order(link)) {
      flat.back().to = link.to;
    } else {
      flat.push_back(link);
    }
  }
}

/// Returns whether the link is a separate rule: it is a single base step, has properties of its two events, or has
/// parts with different roles.
bool is_rule(const Link& link) {
  if (!link.properties.empty() || (link.parts.size() == 1 && link.parts.front().kind != Link::Kind::Named)) return true;
  return std::any_of(link.parts.begin(), link.parts.end(), [](const Link& part) { return part.is_role(); });
}

}  // namespace

Chain flatten(const Chain& chain) {
  Chain flat;
  append_flat(chain, flat);
  return flat;
}

Chain unwrap(const Chain& chain) {
  Chain top = chain;
  while (top.size() == 1 && !top.front().parts.empty() && !is_rule(top.front())) {
    Chain parts = top.front().parts;
    top = std::move(parts);
  }
  Chain merged;
  for (Link& link : top) {
    if (!merged.empty() && is_program_order(merged.back()) && is_program_order(link)) {
      merged.back().to = link.to;
    } else {
      merged.push_back(std::move(link));
    }
  }
  return merged;
}

}  // namespace ambit::explain
