// contact/interface.h -- points of bonded surfaces, theory chapter 4, "Interfaces".
//
// Detection names points anew as bodies move and forgets those that open; a bond must outlive
// both. A bonded point is material: it has its place and its normal on both bodies, rigid or
// meshes (contact/interface_place.h), its area and its damage, all of them states of its law, kept
// in the memory of contacts from step to step and from checkpoint to checkpoint. Each step feeds
// the points that live to the match of contacts, in place of those that detection finds between the
// same two shapes. When all points between two shapes, or two facets of meshes, are broken, they
// are dropped and detection has them again.
#pragma once

#include "contact/contacts.h"

// Before detection: what it leaves out, since bonds hold other faces on it.
cn_status cn_interface_cover(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                             cn_detect *d, cn_error *err);

// The points of the step: those that detection found, with those of interfaces in place of theirs;
// the nodes that these act on are added to the anchors of detection. New interfaces are made where
// surfaces that touch bond: `is_start` if the world begins to move. They belong to the contacts,
// or to detection where no law bonds.
cn_status cn_interface_feed(cn_contacts *c, const cn_bodies *b, const cn_rules *rules,
                            bool is_start, cn_detect *d, cn_points *fed, cn_error *err);

// Whether nothing that contact a, a point of an interface, does along its normal can move anything:
// nodes of both sides are held there.
bool cn_interface_is_stuck(const cn_contacts *c, const cn_bodies *b, int a);

// What the law of contact a sees of its interface: the opening along the axes of now, and the end
// state that its core assumes.
void cn_interface_input(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                        cn_law_input *in);

// How far its two places were apart at the start of the step, by slip and, on teeth, across; 0 of
// ordinary contacts.
double cn_interface_apart(const cn_contacts *c, const cn_law_entry *entry, int a);

// Whether an ordinary contact of a law that bonds is within the gap that counts as touching.
bool cn_interface_is_met(const cn_bodies *b, const cn_law_entry *entry, const cn_contact *x);

// The opening at the end of the step, for what it stores.
void cn_interface_end(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                      cn_law_input *in);

// Keeps the opening at the end of the step, along the axes of the material.
void cn_interface_keep(const cn_contacts *c, const cn_bodies *b, const cn_law_entry *entry, int a,
                       double *state);
