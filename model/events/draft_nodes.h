#pragma once

#include "model/events/draft.h"

namespace ambit::events {

/// Calls function(NodeId&) for each reference of the draft to a node.
template <typename Function>
void for_each_node(Draft& draft, Function function) {
  EventGraph& graph = draft.graph;
  for (Event& event : graph.events) {
    function(event.guard);
    function(event.address);
    function(event.cell);
    function(event.value);
    function(event.phase);
  }
  for (EventNote& note : draft.notes) {
    function(note.path);
    function(note.own_guard);
    function(note.compare);
    function(note.desired);
    function(note.succeeds);
    function(note.resource);
    function(note.count);
    function(note.given);
    function(note.source);
    function(note.joint_repeats);
  }
  for (ControlPoint& point : draft.control_points) function(point.condition);
  for (BoundPoint& point : draft.bound_points) function(point.condition);
  for (NodeId& end : draft.ends) function(end);
  for (RegisterSnapshot& snapshot : draft.snapshots) {
    for (auto& [observable, value] : snapshot.values) function(value);
  }
  for (TransactionRun& run : graph.transactions) {
    function(run.begins);
    function(run.commits);
  }
  for (NodeId& node : graph.requirements) function(node);
  for (NodeId& node : graph.observables) function(node);
  for (Incident& incident : graph.incidents) function(incident.condition);
  for (EventGraph::Bound& bound : graph.bounds) function(bound.reached);
  function(graph.stuck);
  for (BarrierWait& wait : graph.waits) {
    function(wait.stays);
    for (BarrierWait::Mate& mate : wait.mates) function(mate.condition);
  }
  function(graph.bound_reached);
  for (Draft::Meeting& meeting : draft.meetings) function(meeting.condition);
  for (ConditionalSet& set : graph.sets) {
    for (auto& member : set.sometimes) function(member.condition);
  }
  for (ConditionalRelation& relation : graph.relations) {
    for (auto& pair : relation.sometimes) function(pair.condition);
  }
}

}  // namespace ambit::events
